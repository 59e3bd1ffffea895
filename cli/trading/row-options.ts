import { type Command, Option } from 'commander'
import { OFFERED } from '../../api/export/answer-format.ts'
import type { GlobalOptions } from '../../service/invocation.ts'

const FORMATS = OFFERED.tables
export type RowFormat = (typeof FORMATS)[number]

/** Options of a command that writes rows. */
export type RowFlags = { readonly format?: RowFormat; readonly out?: string }

/** Adds the options of a command that writes rows. */
export function withRowOptions(command: Command): Command {
  const by = 'default: by the ending of --out, else csv'
  return command
    .addOption(new Option('--format <format>', `output format; json is one object a line (${by})`).choices(FORMATS))
    .option('--out <file>', 'write the rows to this .csv, .parquet or .jsonl file, completely or not at all')
}

/** Returns the format that the options name. */
export function formatOf({ format, out, json }: RowFlags & GlobalOptions): RowFormat {
  const ending = out?.slice(out.lastIndexOf('.') + 1).replace('jsonl', 'json')
  return format ?? FORMATS.find((name) => name === ending) ?? (json === true ? 'json' : 'csv')
}

import { InvalidArgumentError, Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { count } from '../../report/number-text.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { SQL_FORMATS, type SqlFormat } from '../../warehouse/export/format.ts'
import type { SqlLimits } from '../../warehouse/read/sql-job.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption, parseSize, parseSpan } from '../options.ts'

const BINARY: readonly SqlFormat[] = ['arrow', 'parquet']

type Options = { asOf?: string; format?: SqlFormat; out?: string; timeLimit?: Micros; memoryLimit?: number }

/** `tidemark sql`: runs one read-only SELECT over the views as of an instant. */
export function sqlCommand(context: CommandContext) {
  const command = defineCommand('sql', 'run one read-only SELECT over the views of stored records, as of an instant', [
    'tidemark sql "select count(*), sum(value) from market_observation"',
    'tidemark sql --as-of 2026-01-17T00:00:00Z --format csv "select * from market_resolution order by market_id"',
    'tidemark sql --out observations.arrow "select * from market_observation"',
  ])
    .argument('<statement>', 'one SELECT statement')
    .addOption(asOfOption())
    .addOption(
      new Option(
        '--format <format>',
        'output format; csv lines end with LF (default: by the ending of --out, else table, or json with --json)',
      ).choices(SQL_FORMATS),
    )
    .option('--out <file>', 'write the result to this file, completely or not at all')
    .option('--time-limit <time>', 'end the statement after this time, such as 5m (default: 20s)', parseSpan)
    .option(
      '--memory-limit <size>',
      'end the statement when it needs more memory, such as 4GB (default: 1GB)',
      parseMemory,
    )
  return onAction<Options>(command, context, runStatement)
}

async function runStatement({ args, options, settings, output, signal }: Invocation<Options>): Promise<undefined> {
  const { runSql } = await import('../../operations/query/run-sql.ts')
  const format = formatOf(options)
  if (options.out === undefined && output.terminal && BINARY.includes(format)) throw binaryOnTerminal(format)
  const { rows, as_of } = await withWarehouse(settings, { create: false }, (warehouse) =>
    runSql({
      warehouse,
      sql: args[0]!,
      as_of: options.asOf ?? null,
      format,
      out: options.out ?? output.sink(),
      limits: limitsOf(options),
      signal,
    }),
  )
  if (options.out === undefined) return
  if (output.json) await output.document({ out: options.out, format, rows, as_of })
  else await output.line(`${count(rows)} rows as of ${as_of} written to ${options.out}`)
}

/** Less than this and DuckDB cannot open a view. */
const MEMORY_MIN = 64e6
/** Longest time of a timer in Node, some 24 days. */
const TIME_MS_MAX = 2 ** 31 - 1

function parseMemory(text: string): number {
  const bytes = parseSize(text)
  if (bytes < MEMORY_MIN) throw new InvalidArgumentError('Allowed: 64MB or more.')
  return bytes
}

function limitsOf({ timeLimit, memoryLimit }: Invocation<Options>['options']): Partial<SqlLimits> {
  return {
    ...(timeLimit === undefined ? {} : { time_ms: Math.min(Math.ceil(timeLimit / 1000), TIME_MS_MAX) }),
    ...(memoryLimit === undefined ? {} : { memory_mb: Math.ceil(memoryLimit / 1e6) }),
  }
}

/** Returns the format: --format, else the ending of --out, else json or table. */
function formatOf({ format, out, json }: Invocation<Options>['options']): SqlFormat {
  if (format !== undefined) return format
  const ending = out?.slice(out.lastIndexOf('.') + 1)
  return SQL_FORMATS.find((name) => name === ending) ?? (json ? 'json' : 'table')
}

function binaryOnTerminal(format: SqlFormat): ServiceError {
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `format is ${format} and standard output is a terminal; allowed: --out FILE, or a pipe`,
    { format },
  )
}

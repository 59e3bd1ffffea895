import {
  type ArchiveFile,
  findOptionalArchiveFile,
  listArchiveFiles,
} from '../../../connectors/archives/archive-file.ts'
import { FORECASTBENCH_FILES, isTableName, QUOTES_FILES } from '../../../connectors/archives/file-names.ts'
import { isPayloadKind } from '../../../connectors/archives/payloads/payload-kinds.ts'
import type { ArchiveKind } from '../../../connectors/archives/read-archive.ts'
import { checkZeroKind, needsNoMapping } from '../import-archive.ts'
import { type ImportReport, nextStep } from '../import-report.ts'
import { openTable } from '../mapped/read-table.ts'
import { explainPayloads } from './explain-payloads.ts'
import { explainTables } from './explain-tables.ts'
import type { ExplainedCounts, ExplainOptions, Found, ImportExplanation } from './explanation.ts'

const MARKETS_NAMED = 20

/**
 * Reads an archive as an import does, and stores nothing. What is a duplicate of stored records is known only when importing.
 * @throws {ServiceError} as importArchive for files that cannot be read
 */
export async function explainImport(options: ExplainOptions): Promise<ImportExplanation> {
  const { path } = options
  const kind = options.archive === null ? foundKind(options) : { archive: options.archive, why: 'as named' }
  const { archive } = kind
  if (options.mapping !== undefined && archive !== 'quotes') throw needsNoMapping(archive, options.mapping)
  if (options.zero_means_missing === true) checkZeroKind(archive)
  const found = isPayloadKind(archive) ? await explainPayloads(archive, options) : await explainTables(archive, options)
  const { report, markets, ...rest } = found
  const { input, input_files, ignored, redactions, problems, first_source_at, last_source_at } = report
  return {
    ...{ archive, archive_why: kind.why, path },
    ...rest,
    input: usable(input),
    input_files: input_files.map(({ file, ...counts }) => ({ file, ...usable(counts) })),
    ...{ ignored, redactions, problems, first_source_at, last_source_at },
    market_count: markets.length,
    markets: markets.slice(0, MARKETS_NAMED),
    advice: await adviceOf(archive, found, options),
  }
}

function usable({ read, imported, duplicate, redacted, ignored, quarantined }: ImportReport['input']): ExplainedCounts {
  return { read, usable: imported, repeated: duplicate, redacted, ignored, quarantined }
}

function foundKind({ path, mapping }: ExplainOptions): { readonly archive: ArchiveKind; readonly why: string } {
  if (mapping !== undefined) return { archive: 'quotes', why: 'a mapping is given' }
  const has = (name: string) => listArchiveFiles(path).length > 0 && findOptionalArchiveFile(path, name) !== null
  const { quotes, markets } = QUOTES_FILES
  if (has(quotes) && has(markets)) return { archive: 'quotes', why: `it has ${markets} and ${quotes}` }
  const { values, questions } = FORECASTBENCH_FILES
  if (has(values) || has(questions))
    return { archive: 'forecastbench', why: `it has ${has(values) ? values : questions}` }
  return { archive: 'payloads', why: 'no file has the name of a table of records' }
}

async function adviceOf(
  archive: ArchiveKind,
  { venues, report }: Found,
  { path, mapping, zero_means_missing }: ExplainOptions,
): Promise<string> {
  const { imported, duplicate } = report.input
  if (imported + duplicate > 0) {
    const [venue, ...more] = venues
    const kind = archive === 'payloads' && venue !== undefined && more.length === 0 ? venue : archive
    const flags = [
      mapping === undefined ? '' : ` --mapping ${shellWord(mapping)}`,
      zero_means_missing === true ? ' --zero-means-missing' : '',
    ]
    return `import it with: tidemark import ${kind} ${shellWord(path)}${flags.join('')}`
  }
  const table = mapping === undefined ? listArchiveFiles(path).find(({ name }) => isTableName(name)) : undefined
  if (table !== undefined) {
    return `${table.name} is a table with the columns ${await columnsOf(table)}: write a mapping (docs/archives.md) and add --mapping FILE`
  }
  return `nothing of it can be used: ${nextStep(report)}`
}

/** Returns a word as a shell reads it. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

async function columnsOf(file: ArchiveFile): Promise<string> {
  const table = await openTable(file)
  return table?.columns.join(', ') ?? '(none: it is empty)'
}

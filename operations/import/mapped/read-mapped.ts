import {
  type ArchiveFile,
  findOptionalArchiveFile,
  listArchiveFiles,
  withoutSecondCopies,
} from '../../../connectors/archives/archive-file.ts'
import { collectJsonLines } from '../../../connectors/archives/collect.ts'
import { isTableName, QUOTES_FILES, ruleOfOther, TABLE_ENDINGS } from '../../../connectors/archives/file-names.ts'
import { knownOutcomes } from '../../../connectors/archives/quotes.ts'
import { rememberingReaders } from '../../../pipelines/text/fields.ts'
import { type MappedRow, rowReader } from '../../../pipelines/venues/mapping/mapped-row.ts'
import { checkColumns, type Mapping } from '../../../pipelines/venues/mapping/mapping.ts'
import type { IgnoreRule } from '../../../pipelines/venues/outcomes.ts'
import type { Refusal } from '../../../pipelines/venues/quarantine.ts'
import { marketKey } from '../../../pipelines/venues/quotes-archive.ts'
import { parseMarketLine } from '../../../pipelines/venues/quotes-archive-lines.ts'
import type {
  ArchiveContent,
  MetricRecord,
  Origin,
  QuoteRecord,
  ReferenceRecord,
} from '../../../pipelines/venues/record.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { openTable, type Table } from './read-table.ts'

/**
 * Reads every CSV and Parquet file of a folder, or one file of any name, by a mapping. `markets.jsonl` beside them describes the
 * markets; else the rows do.
 * @param now the wall clock, for records that claim a later receipt
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID, VALIDATION_DEFINITION_INVALID
 */
export async function readMapped(path: string, mapping: Mapping, now: Micros): Promise<ArchiveContent> {
  const { tables, markets, others } = await openFiles(path, mapping)
  const described =
    markets === null ? null : await collectJsonLines(markets, (line) => parseMarketLine(line, line.object, now))
  const collected = new Collected(described?.records ?? null)
  const read = rowReader(mapping, rememberingReaders(), now)
  for (const { file, table } of tables) {
    for await (const rows of table.rows([...mapping.columns.values()])) {
      for (const row of rows) {
        const origin = { file: file.name, line: row.line }
        const parsed = 'reason' in row ? row : read({ ...row, ...origin })
        if ('reason' in parsed) collected.quarantine.push({ ...origin, ...refusalOf(parsed) })
        else if (parsed.record === null) collected.ignored.push({ ...origin, rule: 'NOTHING_STATED' })
        else collected.take(parsed.record)
      }
    }
  }
  return {
    files: [...(markets === null ? [] : [markets.name]), ...tables.map(({ file }) => file.name)],
    ...{ quotes: collected.quotes, metrics: collected.metrics, references: collected.references() },
    ...{ trades: [], books: [], hazards: [], payloads: [], resolutions: [] },
    quarantine: [...(described?.quarantine ?? []), ...collected.quarantine],
    ignored: [...others, ...collected.ignored],
  }
}

type Ignored = Origin & { readonly rule: IgnoreRule }

/** The reason alone, and the advice if there is one: of a row there is more. */
function refusalOf({ reason, advice }: Refusal): Refusal {
  return advice === undefined ? { reason } : { reason, advice }
}

type Files = {
  readonly tables: readonly { readonly file: ArchiveFile; readonly table: Table }[]
  readonly markets: ArchiveFile | null
  readonly others: readonly Ignored[]
}

/** Opens the files and checks their columns before any row is read. */
async function openFiles(path: string, mapping: Mapping): Promise<Files> {
  const files = listArchiveFiles(path)
  const is_one = files.length === 1 && files[0]!.path === path
  const { files: mapped, copies } = withoutSecondCopies(is_one ? files : files.filter(({ name }) => isTableName(name)))
  if (mapped.length === 0) {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `${path} has no file to map; allowed: files that end in ${TABLE_ENDINGS}, or the path of one file of any name`,
      { field: 'dir', value: path },
    )
  }
  const tables = []
  const others: Ignored[] = []
  for (const file of mapped) {
    const table = await openTable(file)
    if (table === null) {
      others.push({ file: file.name, line: 1, rule: 'EMPTY_FILE' })
      continue
    }
    checkColumns(mapping, file.name, table.columns)
    tables.push({ file, table })
  }
  const markets = is_one ? null : findOptionalArchiveFile(path, QUOTES_FILES.markets)
  for (const file of files) {
    if (mapped.includes(file) || file.name === markets?.name) continue
    others.push({ file: file.name, line: 1, rule: ruleOfOther(file.name, copies.includes(file)) })
  }
  return { tables, markets, others }
}

/** Records of the rows read so far. */
class Collected {
  readonly quotes: QuoteRecord[] = []
  readonly metrics: MetricRecord[] = []
  readonly quarantine: ArchiveContent['quarantine'][number][] = []
  readonly ignored: Ignored[] = []
  readonly #described: readonly ReferenceRecord[] | null
  readonly #outcomes: ReturnType<typeof knownOutcomes>
  /** The earliest description of each market, and each later one that says something else. */
  readonly #references = new Map<string, ReferenceRecord>()

  constructor(described: readonly ReferenceRecord[] | null) {
    this.#described = described
    this.#outcomes = knownOutcomes(described ?? [])
  }

  take({ quote, metric, reference }: MappedRow): void {
    const key = marketKey(reference.venue_id, reference.source_market_id)
    if (this.#described !== null) {
      const labels = this.#outcomes.get(key)
      const reason =
        labels === undefined
          ? 'UNKNOWN_MARKET'
          : quote !== null && !labels.includes(quote.outcome)
            ? 'UNKNOWN_OUTCOME'
            : null
      if (reason !== null) {
        this.quarantine.push({ file: reference.file, line: reference.line, reason })
        return
      }
    } else {
      const text = [
        key,
        reference.source_series_id,
        reference.source_event_id,
        reference.title,
        reference.event_title,
      ].join('\u001f')
      const known = this.#references.get(text)
      if (known === undefined || reference.received_at < known.received_at) this.#references.set(text, reference)
    }
    if (quote !== null) this.quotes.push(quote)
    if (metric !== null) this.metrics.push(metric)
  }

  references(): readonly ReferenceRecord[] {
    return this.#described ?? [...this.#references.values()]
  }
}

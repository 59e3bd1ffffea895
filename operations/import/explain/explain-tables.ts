import { uncompressedName } from '../../../connectors/archives/archive-file.ts'
import { FILE_NAMES } from '../../../connectors/archives/file-names.ts'
import type { ArchiveKind } from '../../../connectors/archives/read-archive.ts'
import { MAPPED_FIELDS, type Mapping } from '../../../pipelines/venues/mapping/mapping.ts'
import type { IgnoreRule } from '../../../pipelines/venues/outcomes.ts'
import type { ArchiveContent } from '../../../pipelines/venues/record.ts'
import { readZeros } from '../../../pipelines/venues/zero-values.ts'
import { countLines, readRecords } from '../import-archive.ts'
import { ReportTally } from '../import-report.ts'
import { readMappingFile } from '../mapped/read-mapping-file.ts'
import { planImport } from '../plan-import.ts'
import type { KnownRecords } from '../read-known.ts'
import { countRecords, type ExplainedFile, type ExplainOptions, type Found } from './explanation.ts'

/** A warehouse without anything. */
const NOTHING: KnownRecords = {
  ...{ quotes: new Map(), books: new Map(), trades: new Map(), trade_reports: [], metrics: new Map() },
  ...{ eligibility: new Map(), resolutions: new Map(), events: new Map(), markets: new Map(), hazards: new Map() },
}

/** Reads tables of records, and plans them as into an empty warehouse. */
export async function explainTables(
  archive: ArchiveKind,
  { path, mapping, now, zero_means_missing = false }: ExplainOptions,
): Promise<Found> {
  const read = await readRecords({ archive, dir: path, mapping }, now)
  const { content, zeros, ignored } = readZeros(read, zero_means_missing)
  const plan = planImport(content, NOTHING, 'wall')
  const tally = new ReportTally()
  tally.addZeros(zeros)
  for (const { file, line, rule } of ignored) tally.input.countFile(file, rule, line)
  const { items, decidedBy } = countLines(tally, content)
  items.noteTables(decidedBy(plan), new Set(plan.tables.map(({ table }) => table)))
  items.settle()
  tally.addPlan(plan)
  tally.addSpan(content)
  const rules = mapping === undefined ? [] : rulesOf(await readMappingFile(mapping))
  return {
    files: filesOf(content, mapping !== undefined),
    report: tally.report(archive, content.files),
    records: countRecords(content),
    markets: [
      ...new Set(content.references.map(({ venue_id, source_market_id }) => `${venue_id} ${source_market_id}`)),
    ].sort(),
    venues: [...new Set(content.references.map(({ venue_id }) => venue_id))].sort(),
    mapping: rules,
  }
}

const OF_FILES: ReadonlySet<IgnoreRule> = new Set(['NOT_DATA', 'OTHER_FILE', 'EMPTY_FILE', 'SECOND_COPY'])

function filesOf({ files, ignored = [] }: ArchiveContent, is_mapped: boolean): ExplainedFile[] {
  const read = files.map((file) => {
    const [, , meaning] = FILE_NAMES.find(([name]) => name === uncompressedName(file)) ?? []
    const why = meaning === undefined && is_mapped ? 'its columns are mapped' : `its name says: ${meaning}`
    return { file, form: file.includes('.jsonl') ? 'JSON line by line' : 'table', why, endpoints: [] }
  })
  const not_read = ignored.filter(({ rule }) => OF_FILES.has(rule))
  return [...read, ...not_read.map(({ file, rule }) => ({ file, form: null, why: `ignored: ${rule}`, endpoints: [] }))]
}

/** Says what becomes of each column. */
function rulesOf({ columns, constants, unit, time, missing, bar, outcomes }: Mapping): string[] {
  const zone = time.zone === null ? '' : ` in ${time.zone}`
  return [
    ...[...columns].map(([field, column]) => `column ${column} -> ${field}: ${MAPPED_FIELDS[field]}`),
    ...[...constants].map(([field, text]) => `always ${JSON.stringify(text)} -> ${field}`),
    `prices are ${unit.replaceAll('_', ' ')}; stored as probabilities with 9 digits, half even; their texts are kept in raw_value`,
    `times are ${time.format.replaceAll('_', ' ')}${zone}`,
    `missing: ${[...missing].map((text) => JSON.stringify(text)).join(', ')}`,
    `outcomes: ${outcomes.join(', ')}`,
    ...(bar === null
      ? []
      : [`bars: the close becomes ${bar.close} at the end of its bar; open, high and low are checked and not stored`]),
  ]
}

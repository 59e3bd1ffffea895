import type { SampleRun } from '../../operations/sample/report-sample.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../output.ts'
import type { UpRun } from './up-options.ts'

/** Prints the sample as text, or as JSON with --json. */
export async function showSample(
  { options, output, settings, usual_warehouse }: UpRun,
  sample: SampleRun,
): Promise<void> {
  if (!output.json) return printSample(output, sample, settings.warehouse, usual_warehouse)
  await (options.once === true ? output.document(sample) : output.record({ event: 'sample', ...sample }))
}

/** Prints the sample: venues, indexes, a dispute, a correction, and commands to try next. */
async function printSample(output: Output, run: SampleRun, warehouse: string, usual_warehouse: string): Promise<void> {
  await printRun(output, run)
  await printNext(output, warehouse, usual_warehouse)
}

async function printRun(output: Output, run: SampleRun): Promise<void> {
  await output.line(`${publishedText(run)}\n`)
  await output.table(
    ['venue', 'payloads', 'markets', 'quotes', 'books', 'trades', 'resolutions'],
    run.venues.map(({ venue_id, payloads, markets, quotes, books, trades, resolutions }) => [
      venue_id,
      ...[payloads, markets, quotes, books, trades, resolutions].map(count),
    ]),
  )
  await output.line()
  await output.table(
    ['index', 'name', 'version', 'last tick', 'level', 'state then', 'coverage'],
    run.indexes.map(({ index_id, name, active_version, latest }) => [
      index_id,
      name,
      active_version,
      latest?.tick_at,
      latest?.level,
      latest?.quality_state,
      latest?.coverage_ratio,
    ]),
  )
  await output.line('“State then” is the state of the record at its tick; a read of a level also labels it by its age.')
  await printDispute(output, run)
  await printCorrection(output, run)
  await output.line(`\nReport, one page that needs no network: ${run.report_file}`)
}

function publishedText({ published, range }: SampleRun): string {
  if (published === null) return 'Everything is there already; nothing was changed.'
  const { imported, computed } = published
  const levels = computed.reduce((sum, index) => sum + index.published, 0)
  return (
    `${count(imported.payloads_read)} payloads read, ${count(imported.records_new + imported.records_revised)} records stored, ` +
    `${count(imported.records_quarantined)} quarantined; ${count(levels)} levels published from ${range.from} to ${range.to}.`
  )
}

async function printDispute(output: Output, { dispute }: SampleRun): Promise<void> {
  await output.line('\nA dispute: what the venues said that “Ben Carrow is the next mayor of Lowport” pays')
  await output.table(
    ['published', 'venue', 'resolution', 'payout'],
    dispute.map(({ published_at, venue_id, finality, payout }) => [published_at, venue_id, finality, payout]),
  )
}

async function printCorrection(output: Output, { correction }: SampleRun): Promise<void> {
  const { index_id, tick_at, answers } = correction
  await output.line(`\nA correction: the level of ${index_id} at ${tick_at}, asked as of two instants`)
  const remarks = ['published with the wrong payout', 'corrected', 'asked again: the past answer stays']
  await output.table(
    ['as of', 'level', 'revision', ''],
    answers.map(({ as_of, level, revision }, ordinal) => [as_of, level, revision, remarks[ordinal]]),
  )
}

/** Prints the commands to try, with --warehouse unless it is the default one. */
async function printNext(output: Output, warehouse: string, usual: string): Promise<void> {
  const suffix = warehouse === usual ? '' : ` --warehouse ${warehouse}`
  await output.line('\nTry next:')
  for (const line of NEXT) await output.line(`  ${line}${suffix}`)
}

/** Commands to try next; test/cli/sample.test.ts runs each one. */
export const NEXT = [
  'npx tidemark tables',
  'npx tidemark sql --as-of 2025-12-05T12:00:00Z "select venue_id, count(*), max(source_at) from market_observation group by venue_id"',
  'npx tidemark index replay idx_sample_lowport --from 2025-12-05T06:00:00Z --to 2025-12-05T12:00:00Z',
  'npx tidemark index candles idx_sample_harvest --from 2025-12-01T00:00:00Z --to 2025-12-08T00:00:00Z --interval P1D',
  'npx tidemark index verify --index idx_sample_tunnel',
  'npx tidemark governance status',
  'npx tidemark index diff idx_sample_vote --as-of 2025-12-07T22:30:00Z --with 2025-12-08T00:00:00Z',
]

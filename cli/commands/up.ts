import type { SampleRun } from '../../operations/run-sample.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readSettings } from '../config.ts'
import { count } from '../options.ts'
import type { Output } from '../output.ts'

/** `tidemark up` (= `npm start`): a simulated week of three venues, five indexes, a correction, a dispute and a report. */
export function upCommand(context: CommandContext) {
  const command = defineCommand(
    'up',
    'simulate a week of three venues, publish five sample indexes and show a correction as of two instants',
    ['tidemark up', 'tidemark up --home /tmp/tidemark --fresh'],
  )
    .option('--home <dir>', 'folder of everything this makes (default: $TIDEMARK_HOME or .tidemark)')
    .option('--fresh', 'delete what an earlier run made, then start again')
  return onAction<{ fresh?: boolean }>(command, context, async ({ options, settings, output, signal }) => {
    const [{ runSample }, { SAMPLE_TOOLS: tools }] = await Promise.all([
      import('../../operations/run-sample.ts'),
      import('../sample-tools.ts'),
    ])
    const { home, warehouse: warehouse_root } = settings
    const on_step = (step: string) => output.note(`… ${step}`)
    const fresh = options.fresh ?? false
    const run = await runSample({ home, warehouse_root, fresh, tools, signal, on_step })
    if (output.json) return void (await output.document(run))
    await printRun(output, run)
    await printNext(output, warehouse_root, readSettings({}, context.environment).warehouse)
  })
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
    ['index', 'name', 'version', 'last tick', 'level', 'state', 'coverage'],
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
    answers.map(({ as_of, level, revision }, place) => [as_of, level, revision, remarks[place]]),
  )
}

/** A warehouse that a plain command would not find by itself is named in each line. */
async function printNext(output: Output, warehouse: string, usual: string): Promise<void> {
  const suffix = warehouse === usual ? '' : ` --warehouse ${warehouse}`
  await output.line('\nTry next:')
  for (const line of NEXT) await output.line(`  ${line}${suffix}`)
}

/** What to try next: shown under the first answers; test/cli/sample.test.ts runs each line. */
export const NEXT = [
  'npx tidemark tables',
  'npx tidemark sql --as-of 2025-12-05T12:00:00Z "select venue_id, count(*), max(source_at) from market_observation group by venue_id"',
  'npx tidemark index replay idx_sample_lowport --from 2025-12-05T06:00:00Z --to 2025-12-05T12:00:00Z',
  'npx tidemark index candles idx_sample_harvest --from 2025-12-01T00:00:00Z --to 2025-12-08T00:00:00Z --interval P1D',
  'npx tidemark index verify --index idx_sample_tunnel',
  'npx tidemark index diff idx_sample_lowport --as-of 2025-12-05T08:30:00Z --with 2025-12-05T12:00:00Z',
]

import type { SampleRun } from '../../operations/run-sample.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { readSettings } from '../config.ts'
import { count } from '../options.ts'
import type { Output } from '../output.ts'

/** `tidemark up` (= `npm start`): sample archive, import, two indexes, and one question asked as of two instants. */
export function upCommand(context: CommandContext) {
  const command = defineCommand(
    'up',
    'make sample data, publish two sample indexes and show a first as_of comparison',
    ['tidemark up', 'tidemark up --home /tmp/tidemark --fresh'],
  )
    .option('--home <dir>', 'folder of everything this makes (default: $TIDEMARK_HOME or .tidemark)')
    .option('--fresh', 'delete what an earlier run made, then start again')
  return onAction<{ fresh?: boolean }>(command, context, async ({ options, settings, output, signal }) => {
    const { runSample } = await import('../../operations/run-sample.ts')
    const { home, warehouse: warehouse_root } = settings
    const on_step = (step: string) => output.note(`… ${step}`)
    const run = await runSample({ home, warehouse_root, fresh: options.fresh ?? false, signal, on_step })
    if (output.json) return void (await output.document(run))
    await printRun(output, run)
    await printNext(output, warehouse_root, readSettings({}, context.environment).warehouse)
  })
}

async function printRun(output: Output, run: SampleRun): Promise<void> {
  const { imported, computed } = run
  const published = computed.reduce((sum, index) => sum + index.published, 0)
  const known = computed.reduce((sum, index) => sum + index.already_published, 0)
  await output.line(
    `${count(imported.records_new + imported.records_revised)} values imported (${count(imported.records_duplicate)} already there), ` +
      `${count(published)} levels published (${count(known)} already there)`,
  )
  for (const index of run.indexes) await printIndex(output, index)
  await printComparison(output, run)
}

/** A warehouse that a plain command would not find by itself is named in each line. */
async function printNext(output: Output, warehouse: string, usual: string): Promise<void> {
  const suffix = warehouse === usual ? '' : ` --warehouse ${warehouse}`
  await output.line('\nTry next:')
  for (const line of NEXT) await output.line(`  ${line}${suffix}`)
}

async function printIndex(output: Output, index: SampleRun['indexes'][number]): Promise<void> {
  await output.line(`\n${index.name}: ${index.index_id}, version ${index.active_version}, ${index.unit}`)
  await output.table(
    ['tick', 'level', 'state', 'coverage', 'published'],
    index.levels.map((row) => [row.tick_at, row.level, row.quality_state, row.coverage_ratio, row.published_at]),
  )
}

async function printComparison(output: Output, { comparison }: SampleRun): Promise<void> {
  const { venue_id, source_market_id, source_at, answers } = comparison
  await output.line(`\nWhat was the payout of ${venue_id} market ${source_market_id} of ${source_at.slice(0, 10)}?`)
  const remarks = ['first report', 'corrected', 'asked again: the past answer stays']
  await output.table(
    ['as of', 'payout', 'revision', ''],
    answers.map(({ as_of, value, revision }, place) => [as_of, value, revision, remarks[place]]),
  )
}

/** What to try next: shown under the first answers; test/cli/up.test.ts runs each line. */
export const NEXT = [
  'npx tidemark tables',
  'npx tidemark sql --as-of 2025-09-02T12:00:00Z "select count(*), sum(value) from market_observation"',
  'npx tidemark index replay idx_sample_coast --from 2025-08-30T00:00:00Z --to 2025-09-05T00:00:00Z',
  'npx tidemark index verify --all',
  'npx tidemark index correct idx_sample_coast --reason RESOLUTION_CORRECTED',
  'npx tidemark index diff idx_sample_coast --as-of 2025-09-05T00:00:00Z --with 2025-09-30T00:00:00Z',
]

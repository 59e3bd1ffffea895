import { count, counted } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { clockOption, fromOption, toOption } from '../options.ts'

type Options = { from: string; to: string; clock: ImportClock }

/** `tidemark index compute INDEX ...`: publishes the official observations of the ticks that have none. */
export function computeCommand(context: CommandContext) {
  const command = defineCommand('compute', 'publish the official observations of the missing ticks in [from, to)', [
    'tidemark index compute idx_demo --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --clock recorded',
  ])
    .argument('<index...>', 'index ids')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(clockOption())
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const { computeIndexes } = await import('../../operations/index/compute-indexes.ts')
    const { from, to, clock } = options
    const progress = await output.progress('compute')
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      computeIndexes({ index_ids: args, from, to, clock, warehouse, on_progress: progress.update, signal }),
    ).finally(progress.finish)
    if (output.json) return void (await output.document(report))
    await output.table(
      ['index', 'ticks', 'published', 'already', 'unchanged', 'first tick', 'last tick', 'states'],
      report.indexes.map((index) => [
        index.index_id,
        count(index.ticks),
        count(index.published),
        count(index.already_published),
        count(index.unchanged),
        index.first_tick_at,
        index.last_tick_at,
        formatStates(index.states),
      ]),
    )
    await output.line(counted(report.commits, 'commit'))
  })
}

function formatStates(states: Readonly<Record<string, number>>): string {
  return Object.entries(states)
    .map(([state, ticks]) => `${state} ${count(ticks)}`)
    .join(', ')
}

import { count } from '../../report/number-text.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { atOption, clockOption } from '../options.ts'

/** `tidemark severity run`: assesses the events with new alerts. */
export function severityRunCommand(context: CommandContext) {
  const command = defineCommand('run', 'assess every event with a new alert', [
    'tidemark severity run',
    'tidemark severity run --at 2026-01-17T00:00:00Z --json',
  ])
    .addOption(atOption())
    .addOption(clockOption())
  return onAction<{ at?: string; clock: ImportClock }>(command, context, async ({ options, settings, output }) => {
    const { runSeverity } = await import('../../operations/severity/run-severity.ts')
    const { at = null, clock } = options
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      runSeverity({ at, clock, warehouse }),
    )
    if (output.json) return void (await output.document(report))
    const { published, unchanged, under_review, levels, observation_cutoff_at } = report
    await output.line(
      `${count(published)} events assessed up to ${observation_cutoff_at}, ${count(unchanged)} without news, ${count(under_review)} wait for approval`,
    )
    await output.table(
      ['level', 'events'],
      Object.entries(levels)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([level, events]) => [level, count(events)]),
    )
  })
}

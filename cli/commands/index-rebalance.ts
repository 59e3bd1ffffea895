import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark index rebalance`: announces and publishes what the schedules of indexes demand. */
export function rebalanceCommand(context: CommandContext) {
  const command = defineCommand('rebalance', 'announce and publish the scheduled rebalances that are due', [
    'tidemark index rebalance',
  ])
  return onAction(command, context, async ({ settings, output, signal }) => {
    const { runRebalances } = await import('../../operations/selection/run-rebalances.ts')
    const steps = await withWarehouse(settings, { create: false }, (warehouse) => runRebalances(warehouse, signal))
    if (output.json) return void (await output.document(steps))
    if (steps.length === 0) return void (await output.line('nothing is due'))
    await output.table(
      ['index', 'step', 'effective', 'outcome', 'message'],
      steps.map((one) => [one.index_id, one.step, one.effective_from, one.outcome, one.message]),
    )
  })
}

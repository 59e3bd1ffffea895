import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark backfill cancel`: ends a backfill that runs through Temporal. */
export function backfillCancelCommand(context: CommandContext) {
  const command = defineCommand(
    'cancel',
    'cancel a backfill that runs through Temporal, whoever started it; what it has stored stays, and its command continues it',
    ['tidemark backfill cancel bkf_00f1b9a65c1d2f43ab5c7e1fd4a3b2c1'],
  ).argument('<id>', 'id of the backfill, as it was printed when it began and as the table backfill_run has it')
  return onAction(command, context, async ({ args, settings, output, signal }) => {
    const { cancelBackfill } = await import('../../service/temporal/cancel-backfill.ts')
    const { backfill_id, workflow_id, progress } = await cancelBackfill(args[0]!, { settings, output, signal })
    if (!output.json) return
    const { state = null, chunks_total = null, chunks_done = null, records_new = null } = progress ?? {}
    await output.document({ backfill_id, workflow_id, state, chunks_total, chunks_done, records_new })
  })
}

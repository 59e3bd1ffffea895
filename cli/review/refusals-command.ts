import type { TableCell } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import type { ReviewGroup } from './review-group.ts'

/** `tidemark rating refusals`, `tidemark severity refusals`: rejected acts with their actors and reasons. */
export function refusalsCommand(context: CommandContext, { name, subject: load }: ReviewGroup) {
  const summary = 'list rejected acts with their actors and reasons, latest first'
  const command = defineCommand('refusals', summary, [`tidemark ${name} refusals`, `tidemark ${name} refusals --json`])
  command.addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listRefusals } = await import('../../operations/review/list-refusals.ts')
    const subject = await load()
    const rows = await withWarehouse(settings, { create: false }, (warehouse) =>
      listRefusals(subject, { as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(rows))
    if (rows.length === 0) return void (await output.line('no rejected acts'))
    await output.table(
      FIELDS,
      rows.map((row) => FIELDS.map((field) => row[field] as TableCell)),
    )
  })
}

const FIELDS = ['published_at', 'act', 'record_id', 'actor_id', 'code', 'message']

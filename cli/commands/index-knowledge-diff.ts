import { counted } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { fromOption, instantOption, toOption } from '../options.ts'

type Options = { fromAsOf: string; toAsOf: string; from?: string; to?: string }

/** `tidemark index knowledge-diff INDEX`: every record of an index that two instants know otherwise; exits 1 if there is one. */
export function knowledgeDiffCommand(context: CommandContext) {
  const command = defineCommand(
    'knowledge-diff',
    'versions, constituents, ratings and levels that two instants know otherwise',
    ['tidemark index knowledge-diff idx_demo --from-as-of 2026-01-17T00:00:00Z --to-as-of 2026-01-19T00:00:00Z'],
  )
    .argument('<index>', 'index id')
    .addOption(instantOption('--from-as-of <instant>', 'earlier instant of knowledge').makeOptionMandatory())
    .addOption(instantOption('--to-as-of <instant>', 'later instant of knowledge').makeOptionMandatory())
    .addOption(fromOption())
    .addOption(toOption())
  return onAction<Options>(command, context, async ({ args, options, settings, output }) => {
    const { knowledgeDiff } = await import('../../operations/index/knowledge-diff.ts')
    const { fromAsOf: from_as_of, toAsOf: to_as_of, from = null, to = null } = options
    const index_id = args[0]!
    const changes = await withWarehouse(settings, { create: false }, (warehouse) =>
      knowledgeDiff({ index_id, from_as_of, to_as_of, from, to, warehouse }),
    )
    if (output.json) await output.document({ index_id, from_as_of, to_as_of, changes })
    else {
      await output.table(
        ['subject', 'id', 'change', 'level before', 'level after', 'changed'],
        changes.map(({ subject, subject_id, change, changed_fields, changed_inputs, before, after }) => [
          subject,
          subject_id,
          change,
          textOf(before?.level),
          textOf(after?.level),
          [...changed_fields, ...changed_inputs.map(({ constituent_id }) => constituent_id)].join(' '),
        ]),
      )
      await output.line(counted(changes.length, 'change'))
    }
    return changes.length === 0 ? EXIT.done : EXIT.no
  })
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

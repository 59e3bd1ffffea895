import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { withWarehouse } from '../with-warehouse.ts'

/** `tidemark index show INDEX`: the index, its versions with constituents, and its latest level. */
export function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show an index, its versions with constituents, and its latest level', [
    'tidemark index show idx_demo',
    'tidemark index show idx_demo --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<index>', 'index id')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showIndex } = await import('../../operations/show-index.ts')
    const index = await withWarehouse(settings, { create: false }, (warehouse) =>
      showIndex({ index_id: args[0]!, as_of: options.asOf ?? null, warehouse }),
    )
    await output.document(index)
  })
}

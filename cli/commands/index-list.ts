import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark index list`: indexes with their latest levels. */
export function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the indexes with their latest levels', ['tidemark index list']).addOption(
    asOfOption(),
  )
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listIndexes } = await import('../../operations/index/list-indexes.ts')
    const indexes = await withWarehouse(settings, { create: false }, (warehouse) =>
      listIndexes({ as_of: options.asOf ?? null, warehouse }),
    )
    if (output.json) return void (await output.document(indexes))
    await output.list(
      ['index', 'symbol', 'name', 'status', 'version', 'latest tick', 'level', 'state'],
      indexes.map((index) => [
        index.index_id,
        index.symbol,
        index.name,
        index.status,
        index.active_version,
        index.latest?.tick_at,
        index.latest?.level,
        index.latest?.quality_state,
      ]),
    )
  })
}

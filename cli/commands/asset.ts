import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { parseCount } from '../options.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark asset ...`: settlement assets. */
export function assetCommand(context: CommandContext) {
  const group = defineCommand('asset', 'add and list settlement assets')
  return group.addCommand(addCommand(context)).addCommand(listCommand(context))
}

function addCommand(context: CommandContext) {
  const command = defineCommand('add', 'add a settlement asset', [
    'tidemark asset add asset_usd --scale 6 --reason "first asset"',
  ])
    .argument('<asset>', 'id of the asset')
    .option('--scale <digits>', 'fraction digits of its amounts, 0 to 8', parseCount, 6)
  return onAct<{ readonly scale: number }>(command, context, async ({ args, options, output }, { act }) => {
    const asset_id = parseId('asset', args[0], 'asset')
    const { scale } = options
    await act({ kind: 'add_asset', asset_id, scale })
    return void (await printRecord(output, { asset_id, scale }))
  })
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the settlement assets', ['tidemark asset list'])
  return onTrading(command, context, async ({ output }, { reads }) => {
    const assets = await reads.listAssets()
    if (output.json) return void (await output.document(assets))
    await output.list(
      ['asset', 'scale'],
      assets.map(({ asset_id, scale }) => [asset_id, scale]),
    )
  })
}

import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type SetFlags = { readonly taker: string; readonly maker: string; readonly market?: readonly string[] }

/** `tidemark fees ...`: versioned fee schedules. */
export function feesCommand(context: CommandContext) {
  const group = defineCommand('fees', 'publish and list versions of fee schedules')
  return group.addCommand(setCommand(context)).addCommand(listCommand(context))
}

function setCommand(context: CommandContext) {
  const command = defineCommand(
    'set',
    'publish the next version of a fee schedule; open orders keep the version they were accepted under',
    ['tidemark fees set fees_standard --taker 0.02 --market mkt_harbor --reason "fee committee, 14 March"'],
  )
    .argument('<schedule>', 'id of the schedule')
    .requiredOption('--taker <rate>', 'taker rate; a fill costs rate x min(price, 1 - price) x quantity')
    .option('--maker <rate>', 'maker rate', '0')
    .option('--market <market...>', 'markets it applies to (default: those it applies to already)')
  return onAct<SetFlags>(command, context, async ({ args, options, output }, { act, reads }) => {
    const schedule_id = parseId('fees', args[0], 'schedule')
    const named = options.market?.map((market_id) => parseId('mkt', market_id, 'market'))
    const market_ids = named ?? (await inForceFor(reads, schedule_id))
    const rates = { taker_rate: options.taker, maker_rate: options.maker }
    const made = await act({
      kind: 'set_fees',
      schedule_id,
      ...rates,
      market_ids,
    })
    return void (await printRecord(output, made ?? { schedule_id, ...rates, market_ids }))
  })
}

type ListsMarkets = {
  listMarkets(): Promise<readonly { readonly market_id: string; readonly schedule_id: string }[]>
}

async function inForceFor(reads: ListsMarkets, schedule_id: string): Promise<string[]> {
  const markets = await reads.listMarkets()
  return markets.filter((market) => market.schedule_id === schedule_id).map(({ market_id }) => market_id)
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list all versions of the fee schedules with their markets', [
    'tidemark fees list --json',
  ])
  return onTrading(command, context, async ({ output }, { reads }) => {
    const schedules = await reads.listFees()
    if (output.json) return void (await output.document(schedules))
    await output.list(
      ['schedule', 'version', 'taker', 'maker', 'since', 'markets'],
      schedules.map(({ schedule_id, schedule_version, taker_rate, maker_rate, effective_from, market_ids }) => [
        schedule_id,
        schedule_version,
        taker_rate,
        maker_rate,
        effective_from,
        market_ids.join(' '),
      ]),
    )
  })
}

import { parseId } from '../../primitives/ids.ts'
import { formatMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { MarketRead } from '../../trading/store/operator/operator-reads.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'
import { resolutionCommands } from './market-resolution.ts'

/** `tidemark market ...`: markets of this exchange. */
export function marketCommand(context: CommandContext) {
  const group = defineCommand('market', 'list markets for trading, open, pause, close and resolve them')
  group.addCommand(addCommand(context)).addCommand(listCommand(context))
  group.addCommand(makeComplementaryCommand(context))
  for (const move of MOVES) group.addCommand(moveCommand(context, move))
  for (const command of resolutionCommands(context)) group.addCommand(command)
  return group
}

function addCommand(context: CommandContext) {
  const command = defineCommand('add', 'list a market from a file; trading starts with `market open`', [
    'tidemark market add harbor.yaml --reason "listing committee, 14 March"',
  ]).argument('<file>', 'market file (docs/trading-operations.md)')
  return onAct(command, context, async ({ args, output }, { act, reads }) => {
    const [{ readMarketFile }, { addMarketCommand }] = await Promise.all([
      import('../../service/trading/market-file.ts'),
      import('../../service/trading/add-market-command.ts'),
    ])
    const market = await readMarketFile(args[0]!)
    await act(addMarketCommand(market, await reads.listFees()))
    return void (await printRecord(output, { ...market, status: 'scheduled' }))
  })
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the markets with their outcomes and status', [
    'tidemark market list --json',
  ])
  return onTrading(command, context, async ({ output }, { reads }) => {
    const { shownListing } = await import('../../pipelines/venues/own-listing.ts')
    const listed = await reads.listMarkets()
    const markets = listed.map((market) => ({ ...market, ...shownListing(market.market_id, market) }))
    if (output.json) return void (await output.document(markets))
    await output.list(
      ['market', 'status', 'title', 'outcomes', 'fees'],
      markets.map(({ market_id, status, title, outcomes, schedule_id, schedule_version }) => [
        market_id,
        status,
        title,
        outcomes.map(({ outcome_id }) => outcome_id).join(' '),
        `${schedule_id} v${schedule_version}`,
      ]),
    )
  })
}

/** Between two looks at what a market waits for. */
const LOOK_AGAIN_MS = 1_000

function makeComplementaryCommand(context: CommandContext) {
  const command = defineCommand(
    'make-complementary',
    'let the orders of both outcomes of a paused market meet: cancels what rests, waits for its settlements',
    ['tidemark market make-complementary mkt_harbor --reason "one book"'],
  ).argument('<market>', 'id of the market')
  return onAct(command, context, async ({ args, output }, { act, reads }) => {
    const { market_id } = await reads.readMarket(parseId('mkt', args[0], 'market'))
    for (;;) {
      const answer = (await act({ kind: 'make_complementary', market_id })) as Record<string, unknown> | null
      if (answer === null || answer.is_done !== false)
        return void (await printRecord(output, { market_id, complementary: true }))
      output.note(`waiting for ${answer.orders_left} orders and ${answer.settlements_left} settlements`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  })
}

type Move = { readonly name: string; readonly to: MarketStatus; readonly summary: string }
const MOVES: readonly Move[] = [
  { name: 'open', to: 'open', summary: 'accept orders, also again after a pause' },
  {
    name: 'pause',
    to: 'paused',
    summary: 'reject new orders; open orders wait, or are canceled if placed with cancel_on_pause',
  },
  { name: 'close', to: 'closed', summary: 'end trading and cancel all open orders' },
]

function moveCommand(context: CommandContext, { name, to, summary }: Move) {
  const command = defineCommand(name, summary, [`tidemark market ${name} mkt_harbor --reason "as announced"`]).argument(
    '<market>',
    'id of the market',
  )
  return onAct(command, context, async ({ args, output }, { act, reads }) => {
    const market = await reads.readMarket(parseId('mkt', args[0], 'market'))
    const { market_id } = market
    const early = to === 'open' ? earlyOpening(market, wallClock()) : null
    if (early !== null) output.note(early)
    await act({ kind: 'move_market', market_id, to })
    return void (await printRecord(output, { market_id, status: to }))
  })
}

/** Returns what an operator should know who opens a market before its listing says; null: nothing. */
function earlyOpening({ market_id, schedule }: Pick<MarketRead, 'market_id' | 'schedule'>, now: Micros): string | null {
  const opens_at = microsOf((schedule as { readonly opens_at?: unknown } | null)?.opens_at)
  if (opens_at === null || now >= opens_at) return null
  return `${market_id} opens now, before the opens_at of its listing, ${formatMicros(opens_at)}; members see both`
}

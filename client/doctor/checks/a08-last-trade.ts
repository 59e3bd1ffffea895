import { toMicros } from '../../../primitives/instants.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation, MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import type { Answer, Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { tapeOfOutcome } from '../mirrored.ts'
import { momentsOf, priceAt, recentPrices, tapeAt } from '../world.ts'

/** A8: `last_trade` and its time equal the newest valid trade of the tape at that instant, in the view and in the history. */
export const LAST_TRADE_AGREES: Check = {
  id: 'A8',
  title: 'Last trade',
  compares: 'last_trade of view and history, and the newest valid trade of the tape',
  share: 4,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const market of (await world.priced(ask)).filter(world.tradesArePublic)) {
      if (!more()) return
      await compareHistory(context, market)
      for (const at of await momentsOf(ask, sampler, market, world.at)) {
        const [view, tape] = await Promise.all([priceAt(ask, market, at), tapeAt(ask, market, at)])
        if (view.status === 200 && tape.status === 200 && tape.complete) await compareView(context, market, view, tape)
      }
    }
  },
}

async function compareView(
  context: CheckContext,
  market: Market,
  view: Answer<MarketPrice>,
  tape: Listed<Trade>,
): Promise<void> {
  const { find } = context
  for (const outcome of view.data.outcomes) {
    const newest = newestTrade(tapeOfOutcome(tape.data, market, outcome.outcome_id))
    const quoted = outcome.source_observation_ids.filter((id) => /^obs_\w+\.last_trade$/.test(id))
    if (newest === undefined && outcome.last_trade !== null && quoted.length > 0) {
      await compareQuoted(context, view, outcome, quoted)
      continue
    }
    const of_view = `${view.request} (outcome ${outcome.outcome_id})`
    const of_tape = `${tape.request} (newest valid trade: ${newest?.trade_id ?? 'none'})`
    find.same(
      'last_trade',
      { request: of_view, value: outcome.last_trade },
      { request: of_tape, value: newest?.price ?? null },
    )
    if (!('last_trade_at' in outcome)) continue
    const times = [outcome.last_trade_at ?? null, newest?.source_at ?? null]
    find.same('last_trade_at', { request: of_view, value: times[0] }, { request: of_tape, value: times[1] })
  }
}

/** A last trade that no record of the tape shows is one that a quote beside it states; a mark may name the trade of another quote. */
async function compareQuoted(
  { ask, find }: CheckContext,
  view: Answer<MarketPrice>,
  { outcome_id, last_trade }: MarketPrice['outcomes'][number],
  quoted: readonly string[],
): Promise<void> {
  const as_of = view.meta.as_of ?? view.meta.published_at
  const read = (id: string) => ask.get<MarketObservation>(`/markets/${view.data.market_id}/prices/${id}`, { as_of })
  const found = await Promise.all(quoted.map(read))
  const one = found.find(({ data }) => data?.value === last_trade) ?? found[0]!
  const of_view = { request: `${view.request} (outcome ${outcome_id})`, value: last_trade }
  find.same('last_trade', of_view, { request: one.request, value: one.data?.value ?? one.code })
}

/** Every last_trade of the history carries price and time of a trade of the tape. */
async function compareHistory({ ask, find, world }: CheckContext, market: Market): Promise<void> {
  const [recent, tape] = await Promise.all([recentPrices(ask, market, world.at), tapeAt(ask, market, world.at)])
  if (recent === null || tape.status !== 200 || !tape.complete) return
  const traded = new Set(
    tape.data.map(({ outcome_id, price, source_at }) => `${outcome_id} ${price} ${toMicros(source_at)}`),
  )
  for (const item of recent.data.filter(({ field }) => field === 'last_trade')) {
    const { observation_id, outcome_id, value, source_at } = item
    const first = { request: `${recent.request} (${observation_id})`, value: `${value} at ${source_at}` }
    const holds = traded.has(`${outcome_id} ${value} ${toMicros(source_at)}`)
    if (!find.holds(holds, 'last_trade and source_at', first, { request: tape.request, value: 'no such trade' })) return
  }
}

/** Returns the newest trade of a tape that was not voided or corrected away. */
function newestTrade(tape: readonly Trade[]): Trade | undefined {
  return standingTrades(tape).sort(bySource).at(-1)
}

/** Returns the trades that count: no voids, and nothing that a later record supersedes. */
export function standingTrades(trades: readonly Trade[]): Trade[] {
  const superseded = new Set(trades.map(({ correction }) => correction?.supersedes_trade_id))
  return trades.filter(({ trade_id, correction }) => correction?.kind !== 'void' && !superseded.has(trade_id))
}

function bySource(a: Trade, b: Trade): number {
  return (
    toMicros(a.source_at) - toMicros(b.source_at) ||
    (a.source_sequence ?? 0) - (b.source_sequence ?? 0) ||
    toMicros(a.received_at) - toMicros(b.received_at)
  )
}

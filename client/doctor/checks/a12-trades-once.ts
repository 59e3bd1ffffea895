import { MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import type { Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { tapeAt } from '../world.ts'
import { standingTrades } from './a08-last-trade.ts'

/** A12: a real trade appears once, whichever feeds reported it. */
export const TRADES_ONCE: Check = {
  id: 'A12',
  title: 'One trade, one record',
  compares:
    'trades of a tape with each other: the same venue id, or the same terms at the same second from another feed',
  share: 2,
  async run(context) {
    const { ask, world, more } = context
    for (const market of (await world.priced(ask)).filter(world.tradesArePublic)) {
      if (!more()) return
      const tape = await tapeAt(ask, market, world.at)
      if (tape.status === 200) compareTape(context, tape)
    }
  },
}

function compareTape(context: CheckContext, tape: Listed<Trade>): void {
  const by_id = new Map<string, Trade>()
  const by_terms = new Map<string, Trade[]>()
  for (const trade of standingTrades(tape.data)) {
    const { source_series_id, source_trade_id, outcome_id, price, quantity, source_at } = trade
    const id = `${source_series_id} ${source_trade_id}`
    const known = by_id.get(id)
    twice(context, tape.request, known, trade, 'source_trade_id')
    by_id.set(id, trade)
    const terms = `${outcome_id} ${price} ${quantity} ${Math.floor(toMicros(source_at) / MICROS_PER_SECOND)}`
    const twin = (by_terms.get(terms) ?? []).find((other) => isOtherFeed(other, trade))
    if (known === undefined) twice(context, tape.request, twin, trade, 'trade')
    by_terms.set(terms, [...(by_terms.get(terms) ?? []), trade])
  }
}

/** Feeds name trades in different forms: the letters before the first underscore, or their absence. */
function isOtherFeed(a: Trade, b: Trade): boolean {
  const form = ({ source_trade_id }: Trade) => /^[a-z]+(?=_)/.exec(source_trade_id)?.[0] ?? ''
  return form(a) !== form(b)
}

/** Compares a trade with its twin; none is as it should be. */
function twice({ find, isLegacy }: CheckContext, request: string, a: Trade | undefined, b: Trade, field: string): void {
  if (a !== undefined && isLegacy(a.published_at) && isLegacy(b.published_at)) {
    find.legacy('trades that are listed twice')
    return
  }
  const shown = ({ trade_id, source_trade_id, price, quantity, source_at }: Trade) => ({
    trade_id,
    source_trade_id,
    price,
    quantity,
    source_at,
  })
  const side = (trade: Trade | undefined) => ({
    request: `${request} (${trade?.trade_id ?? 'no other'})`,
    value: trade === undefined ? null : shown(trade),
  })
  find.holds(a === undefined, field, side(a), side(b))
}

import type { Micros } from '../../../../primitives/instants.ts'
import { fromScaled } from '../../../../primitives/scaled.ts'
import type { BookEvent, EngineEvent, TradeEvent } from '../../../../trading/engine/events.ts'
import type { Pool } from '../../../../trading/store/create-pool.ts'
import { decodeEvent, eventsAfter } from '../../../../trading/store/tail-events.ts'

export type ExpectedQuote = {
  readonly outcome_id: string
  readonly at: Micros
  readonly bid: string | null
  readonly ask: string | null
  readonly bid_depth: string | null
  readonly ask_depth: string | null
  readonly last_trade: string | null
  readonly traded_at: Micros | null
}

/** The touch and the last trade that each batch leaves, where they differ from before; read the slow way, all events again and again. */
export async function expectedQuotes(pool: Pool): Promise<ExpectedQuote[]> {
  const rows = await eventsAfter(pool, 0, 1_000_000)
  const told = new Map<string, string>()
  const quotes: ExpectedQuote[] = []
  for (const batch of new Set(rows.map(({ batch_sequence }) => batch_sequence))) {
    const seen = rows.filter(({ batch_sequence }) => batch_sequence <= batch).map(decodeEvent)
    for (const outcome_id of ['out_no', 'out_yes']) {
      const { at, ...values } = quoteAfter(seen, outcome_id)
      const text = JSON.stringify(values)
      if ((told.get(outcome_id) ?? JSON.stringify(NOTHING(outcome_id))) === text) continue
      told.set(outcome_id, text)
      quotes.push({ at, ...values })
    }
  }
  return quotes
}

const NOTHING = (outcome_id: string) => {
  const empty = { bid: null, ask: null, bid_depth: null, ask_depth: null, last_trade: null, traded_at: null }
  return { outcome_id, ...empty }
}

function quoteAfter(seen: readonly EngineEvent[], outcome_id: string): ExpectedQuote {
  const levels = new Map<string, BookEvent>()
  let trade: TradeEvent | null = null
  for (const event of seen) {
    if (event.kind === 'book' && event.outcome_id === outcome_id) levels.set(`${event.side} ${event.price}`, event)
    if (event.kind === 'trade' && event.outcome_id === outcome_id) trade = event
  }
  const rest = [...levels.values()].filter(({ quantity }) => quantity > 0).sort((a, b) => a.price - b.price)
  const bid = rest.filter(({ side }) => side === 'BUY').at(-1)
  const ask = rest.find(({ side }) => side === 'SELL')
  return {
    outcome_id,
    bid: price(bid),
    ask: price(ask),
    bid_depth: quantity(bid),
    ask_depth: quantity(ask),
    last_trade: price(trade ?? undefined),
    traded_at: trade?.at ?? null,
    at: seen.at(-1)!.at,
  }
}

/** The market has two digits of price and of quantity. */
export function price(of: { readonly price: number } | undefined): string | null {
  return of === undefined ? null : fromScaled(BigInt(of.price) * 10_000_000n, 9)
}

export function quantity(of: { readonly quantity: number } | undefined): string | null {
  return of === undefined ? null : fromScaled(BigInt(of.quantity) * 10_000n, 6)
}

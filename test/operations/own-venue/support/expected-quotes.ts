import type { Micros } from '../../../../primitives/instants.ts'
import { fromScaled } from '../../../../primitives/scaled.ts'
import type { BookEvent, EngineEvent, TradeEvent } from '../../../../trading/engine/events.ts'
import type { Pool } from '../../../../trading/store/create-pool.ts'
import { type EngineBatch, tailBatches } from '../../../../trading/store/tail-batches.ts'

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
  const batches = await allBatches(pool)
  const told = new Map<string, string>()
  const quotes: ExpectedQuote[] = []
  for (const place of batches.keys()) {
    const seen = batches.slice(0, place + 1).flatMap(({ events }) => events)
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

async function allBatches(pool: Pool): Promise<EngineBatch[]> {
  const found: EngineBatch[] = []
  const { signal } = new AbortController()
  const options = { poll_ms: 1, gather_ms: 0, signal }
  for await (const { batches, is_all } of tailBatches(pool, { at: 0, last_engine_sequence: 0 }, options)) {
    found.push(...batches)
    if (is_all) break
  }
  return found
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

import * as fc from 'fast-check'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { EngineEvent, TradeEvent } from '../../../trading/engine/events.ts'
import type { PublicListing } from '../../../trading/public-market/public-market.ts'
import type { Finality, MarketStatus } from '../../../vocabulary/market.ts'
import type { Side } from '../../../vocabulary/order.ts'

export const LISTED_AT: Micros = toMicros('2026-01-01T00:00:00Z')

/** Two markets of two outcomes. */
export const LISTINGS: readonly PublicListing[] = ['a', 'b'].map((name) => ({
  market_id: `mkt_${name}`,
  status: 'scheduled',
  terms: { price_scale: 2, quantity_scale: 1 },
  outcomes: ['yes', 'no'].map((label) => ({ outcome_id: `out_${name}_${label}`, label })),
  created_at: LISTED_AT,
}))

const OUTCOMES = LISTINGS.flatMap(({ market_id, outcomes }) =>
  outcomes.map(({ outcome_id }) => ({ market_id, outcome_id })),
)

const drawn = fc.record({
  kind: fc.constantFrom(
    'book',
    'book',
    'book',
    'trade',
    'trade',
    'correction',
    'correction',
    'move',
    'resolution',
    'order',
  ),
  outcome: fc.constantFrom(0, 0, 0, 1, 2, 3),
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  // Few prices and instants: trades that differ in their id alone are common.
  price: fc.integer({ min: 1, max: 3 }),
  quantity: fc.integer({ min: 0, max: 3 }),
  chosen: fc.nat(20),
  ends_batch: fc.boolean(),
  passes: fc.constantFrom(true, false, false),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

export type Batch = { readonly at: Micros; readonly events: readonly EngineEvent[] }

/** Batches of an engine: books, trades, corrections of earlier trades, moves, resolutions, and events that name an order. */
export const randomBatches = fc.array(drawn, { maxLength: 80, size: 'max' }).map(batchesOf)

function batchesOf(all: readonly Drawn[]): Batch[] {
  const batches: { at: Micros; events: EngineEvent[] }[] = []
  const trades: TradeEvent[] = []
  let [at, opens] = [LISTED_AT, true]
  for (const [ordinal, one] of all.entries()) {
    if (opens && one.passes) at += 1_000
    if (opens) batches.push({ at, events: [] })
    const event = eventOf(one, { engine_sequence: 10 + ordinal, at }, trades)
    if (event.kind === 'trade') trades.push(event)
    batches.at(-1)!.events.push(event)
    opens = one.ends_batch
  }
  return batches
}

type Stamp = { readonly engine_sequence: number; readonly at: Micros }

function eventOf(one: Drawn, stamp: Stamp, trades: readonly TradeEvent[]): EngineEvent {
  const { kind, side, price, quantity, chosen } = one
  const of_outcome = { ...stamp, ...OUTCOMES[one.outcome]! }
  const { market_id, outcome_id } = of_outcome
  if (kind === 'book') return { ...of_outcome, kind, side, price, quantity, order_count: 1 + (chosen % 3) }
  if (kind === 'move') {
    const status = (['open', 'paused', 'closed', 'resolved'] as MarketStatus[])[chosen % 4]!
    return { ...stamp, kind: 'market', market_id, status, reason: 'test', actor: 'test' }
  }
  if (kind === 'resolution') {
    const finality = (['proposed', 'disputed', 'final'] as Finality[])[chosen % 3]!
    const payouts = [{ outcome_id, payout: '1' }]
    const facts = { resolution_id: `res_${chosen}`, revision: 1, verdict: 'resolved', dispute: null } as const
    return { ...stamp, kind: 'resolution', market_id, ...facts, finality, payouts }
  }
  if (kind === 'order') return { ...stamp, kind: 'order', account_id: 'acct', order_id: 'ord' } as EngineEvent
  // Mostly one of the newest trades.
  const corrected = kind === 'correction' ? trades.at(-1 - (chosen % 4)) : undefined
  if (corrected === undefined) {
    const trade_id = `trd_${stamp.engine_sequence}`
    return { ...of_outcome, kind: 'trade', trade_id, price, quantity: 1 + quantity, aggressor_side: side }
  }
  return {
    ...corrected,
    ...stamp,
    kind: 'trade_correction',
    price,
    quantity: 1 + quantity,
    correction: chosen % 2 === 0 ? 'void' : 'correction',
    record_id: `${corrected.trade_id}.${stamp.engine_sequence}`,
    revision: 2,
    supersedes_record_id: corrected.trade_id,
    superseded_price: corrected.price,
    traded_at: corrected.at,
  }
}

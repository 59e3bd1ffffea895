/**
 * Measures the CPU time of our own venue's public side, in microseconds: a book event applied, with the delta of its batch made
 * and serialized; a read of the latest price, beside rebuilding the same view for each read; a book of 100 levels per side.
 * Nothing is stored or sent.
 * Goals: 20 us per event, and a price read 20 times cheaper than a rebuilt one.
 */

import { ownPriceBytes } from '../api/own-venue/own-price-bytes.ts'
import { ownBookDeltaOf, ownOrderBookOf, ownPriceOf } from '../api/own-venue/own-resources.ts'
import { formatMicros, type Micros, toMicros } from '../primitives/instants.ts'
import type { EngineEvent } from '../trading/engine/events.ts'
import { PublicMarkets } from '../trading/public-market/fold-events.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const AT: Micros = toMicros('2026-01-01T00:00:00Z')
const ROUNDS = 7
const BATCHES = 4_000
const READS = 20_000
const DEPTH = 100
/** Price levels changed by one batch. */
const CHANGES = 8

export async function run(): Promise<BenchRow[]> {
  const taken = { event: [] as number[], read: [] as number[], made: [] as number[], book: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const costs = measure()
    // The first round warms up.
    if (round > 0) for (const [name, cost] of Object.entries(costs)) taken[name as keyof typeof taken].push(cost)
  }
  const [event, book, ratio] = [median(taken.event), median(taken.book), median(taken.made) / median(taken.read)]
  return [
    {
      figure: 'own_venue.event',
      value: rounded(event),
      unit: 'us',
      goal: { at_most: 20 },
      details: { rounds: taken.event },
    },
    {
      figure: 'own_venue.price_read_to_made',
      value: rounded(ratio),
      unit: 'x',
      goal: { at_least: 20 },
      details: { read_us: rounded(median(taken.read)), made_us: rounded(median(taken.made)) },
    },
    { figure: 'own_venue.book_100', value: rounded(book), unit: 'us', goal: null, details: { rounds: taken.book } },
  ]
}

function measure() {
  const markets = new PublicMarkets()
  markets.list({
    market_id: 'mkt_bench',
    status: 'open',
    terms: { price_scale: 3, quantity_scale: 2 },
    outcomes: [
      { outcome_id: 'out_yes', label: 'Yes' },
      { outcome_id: 'out_no', label: 'No' },
    ],
    created_at: AT,
  })
  const market = markets.market('mkt_bench')!
  const batches = Array.from({ length: BATCHES }, (_, batch) => eventsOf(batch))
  const published_at = formatMicros(AT)
  const applied = cpuOf(() => {
    for (const events of batches) {
      const { books } = markets.apply(AT, events)
      for (const change of books) Buffer.from(JSON.stringify(ownBookDeltaOf(change, published_at)))
    }
  })
  const outcome = market.outcomes[0]!
  const asked = { confirmed_at: AT, at: AT }
  return {
    event: applied / (BATCHES * CHANGES),
    read: cpuOf(() => repeat(READS, () => ownPriceBytes(market, [], asked))) / READS,
    made: cpuOf(() => repeat(READS / 10, () => JSON.stringify(ownPriceOf(market, [], AT, AT).price))) / (READS / 10),
    book: cpuOf(() => repeat(READS / 20, () => JSON.stringify(ownOrderBookOf(outcome, DEPTH, false)))) / (READS / 20),
  }
}

/** Generates changes of one book, 400 prices wide: price levels that are added, changed and removed on both sides. */
function eventsOf(batch: number): EngineEvent[] {
  return Array.from({ length: CHANGES }, (_, place) => {
    const nth = batch * CHANGES + place
    const [is_bid, step] = [nth % 2 === 0, (nth * 7) % 200]
    return {
      kind: 'book',
      engine_sequence: nth + 1,
      at: AT,
      market_id: 'mkt_bench',
      outcome_id: 'out_yes',
      side: is_bid ? 'BUY' : 'SELL',
      price: is_bid ? 500 - step : 501 + step,
      quantity: nth % 11 === 0 ? 0 : 100 + (nth % 900),
      order_count: 1 + (nth % 5),
    }
  })
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time += 1) work()
}

/** Returns this process's CPU time in microseconds. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

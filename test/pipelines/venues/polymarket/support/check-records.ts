import { QUARANTINE_REASONS } from '../../../../../pipelines/venues/quarantine.ts'
import type { BookLevel, BookRecord, Payout, QuoteRecord } from '../../../../../pipelines/venues/record.ts'
import { type Micros, toMicros } from '../../../../../primitives/instants.ts'
import { toScaled } from '../../../../../primitives/scaled.ts'
import type { AllRecords } from './payloads.ts'

const FIRST = toMicros('2000-01-01T00:00:00Z')
const END = toMicros('2100-01-01T00:00:00Z')
const PRICE = /^(0\.\d{9}|1\.0{9})$/
const ZERO = /^0\.0+$/
const QUANTITY = /^(0|[1-9]\d{0,11})\.\d{6}$/

/** Returns the broken invariants of the records, each by its rule and record; they hold for any payload. */
export function brokenRules(records: AllRecords): string[] {
  const broken: string[] = []
  const need = (rule: string, holds: boolean, record: unknown) => {
    if (!holds) broken.push(`${rule}: ${JSON.stringify(record)}`)
  }
  const { quotes, trades, resolutions, references, books, quarantine } = records
  for (const record of [...quotes, ...trades, ...resolutions, ...references, ...books]) {
    need('instants are plausible', plausible(record.source_at) && plausible(record.received_at), record)
    need('nothing is received before it happened', record.source_at <= record.received_at, record)
    need('a record has its place', record.line >= 1 && record.path !== undefined, record)
    need('a record has its market', record.source_market_id !== '', record)
  }
  for (const quote of quotes) need('a quote’s prices are prices', quoteHolds(quote), quote)
  for (const trade of trades) {
    need('a trade has a price', isPrice(trade.price) && !ZERO.test(trade.price), trade)
    need('a trade has a quantity', QUANTITY.test(trade.quantity) && !ZERO.test(trade.quantity), trade)
  }
  for (const book of books) need('a book is sorted, its levels real', bookHolds(book), book)
  for (const resolution of resolutions) {
    need('final payouts sum to 1', resolution.finality !== 'final' || sumsToOne(resolution.payouts), resolution)
  }
  for (const { opens_at, closes_at, expected_resolution_at, ...reference } of references) {
    const times = [opens_at, closes_at, expected_resolution_at].filter((at) => at !== null)
    need('a schedule is plausible or none', times.every(plausible), reference)
    need('labels differ', new Set(reference.outcomes).size === reference.outcomes.length, reference)
  }
  for (const item of quarantine) need('a reason is a known one', item.reason in QUARANTINE_REASONS, item)
  return broken
}

function quoteHolds({ reported_probability, book, received_at }: QuoteRecord): boolean {
  const prices = [reported_probability, book?.bid, book?.ask, book?.last_trade].filter((price) => price != null)
  const depths = [book?.bid_depth, book?.ask_depth].filter((depth) => depth != null)
  const times = [book?.last_trade_at, book?.confirmed_at].filter((at) => at != null)
  const halves =
    book === null || ((book.bid_depth === null || book.bid !== null) && (book.ask_depth === null || book.ask !== null))
  return (
    halves &&
    prices.every((price) => isPrice(price) && !ZERO.test(price)) &&
    depths.every((depth) => QUANTITY.test(depth) && !ZERO.test(depth)) &&
    times.every((at) => plausible(at) && at <= received_at)
  )
}

function bookHolds({ bids, asks }: BookRecord): boolean {
  const real = ({ price, quantity }: BookLevel) =>
    isPrice(price) && !ZERO.test(price) && QUANTITY.test(quantity) && !ZERO.test(quantity)
  const falling = (levels: readonly BookLevel[]) => levels.every((l, i) => i === 0 || l.price < levels[i - 1]!.price)
  return [...bids, ...asks].every(real) && falling(bids) && falling(asks.toReversed())
}

function sumsToOne(payouts: readonly Payout[]): boolean {
  return payouts.reduce((sum, { payout }) => sum + toScaled(payout, 9), 0n) === 1_000_000_000n
}

const isPrice = (text: string) => PRICE.test(text)
const plausible = (at: Micros) => at >= FIRST && at < END

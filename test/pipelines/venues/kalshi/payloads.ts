import { expect } from 'vitest'
import { createKalshiReader } from '../../../../pipelines/venues/kalshi/kalshi-reader.ts'
import type { BookLevel, Payout, VenuePayload, VenueReader, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { type Micros, toMicros } from '../../../../primitives/instants.ts'

/** Payloads of Kalshi for tests, in the venue's wire format. */

export const NOW = toMicros('2026-11-21T00:00:00Z')
export const RECEIVED = toMicros('2026-03-02T12:00:00Z')

/** A reader at the tests' clock. */
export const reader = (): VenueReader => createKalshiReader(NOW)

/** A payload as JSON text or as what its text shall be. */
export function payload(endpoint: string, body: unknown, changes: Partial<VenuePayload> = {}): VenuePayload {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { venue_id: 'kalshi', endpoint, request: null, received_at: RECEIVED, file: 'f.json', text, ...changes }
}

/** All lists of a reading, absent ones empty. */
export function allOf(records: VenueRecords) {
  const {
    quotes = [],
    trades = [],
    resolutions = [],
    references = [],
    metrics = [],
    books = [],
    quarantine = [],
  } = records
  return { quotes, trades, resolutions, references, metrics, books, quarantine }
}

/** Returns the records of one payload, read by a fresh reader. */
export function read(endpoint: string, body: unknown, changes: Partial<VenuePayload> = {}) {
  return allOf(reader().read(payload(endpoint, body, changes)))
}

/** Reasons of the quarantined records, in order. */
export const reasons = (records: VenueRecords) => (records.quarantine ?? []).map(({ reason }) => reason)

/** Reads messages one after another, a second apart unless said otherwise, with one reader. */
export function stream(frames: readonly object[], step_seconds = 1) {
  const one = reader()
  return frames.map((frame, n) =>
    allOf(one.read(payload('ws', frame, { received_at: RECEIVED + n * step_seconds * 1_000_000, file: `${n}.json` }))),
  )
}

/** The books that a stream of messages gives, those that are held back last. */
export function streamBooks(frames: readonly object[], step_seconds = 1) {
  const one = reader()
  const read = frames.map((frame, n) =>
    one.read(payload('ws', frame, { received_at: RECEIVED + n * step_seconds * 1_000_000 })),
  )
  return [...read, one.finish!()].map((records) => allOf(records).books)
}

/** A market of the recorded form (cents beside dollars), quoted 6 to 7 cents. */
export const MARKET = {
  ticker: 'KXELONMARS-99',
  event_ticker: 'KXELONMARS-99',
  market_type: 'binary',
  title: 'Will Elon Musk visit Mars before Aug 1, 2099?',
  yes_sub_title: 'Mars',
  status: 'active',
  result: '',
  open_time: '2025-08-28T20:45:00Z',
  close_time: '2099-08-01T04:59:00Z',
  created_time: '0001-01-01T00:00:00Z',
  expected_expiration_time: '2099-08-01T15:00:00Z',
  rules_primary: 'If he visits Mars, then the market resolves to Yes.',
  rules_secondary: '',
  response_price_units: 'usd_cent',
  yes_bid: 6,
  yes_bid_dollars: '0.0600',
  yes_ask: 7,
  yes_ask_dollars: '0.0700',
  no_bid: 93,
  no_bid_dollars: '0.9300',
  no_ask: 94,
  no_ask_dollars: '0.9400',
  last_price: 6,
  last_price_dollars: '0.0600',
}

/** MARKET without its fields in cents, which were withdrawn. */
export const MARKET_WITHOUT_CENTS = Object.fromEntries(
  Object.entries(MARKET).filter(
    ([field]) => !/^(yes_bid|yes_ask|no_bid|no_ask|last_price|response_price_units)$/.test(field),
  ),
)

/** MARKET as nobody has ever quoted it. */
export const UNTOUCHED = {
  ...MARKET,
  yes_bid: 0,
  yes_bid_dollars: '0.0000',
  yes_ask: 0,
  yes_ask_dollars: '0.0000',
  no_bid: 100,
  no_bid_dollars: '1.0000',
  no_ask: 100,
  no_ask_dollars: '1.0000',
  last_price: 0,
  last_price_dollars: '0.0000',
}

/** Bid and ask of the YES quote, then of the NO quote. */
export function sides(records: Pick<ReturnType<typeof allOf>, 'quotes'>) {
  return records.quotes.map(({ outcome, book }) => [outcome, book!.bid, book!.ask])
}

const PLAUSIBLE = [toMicros('2000-01-01T00:00:00Z'), toMicros('2100-01-01T00:00:00Z')] as const

/** Expects the invariants of every record that leaves the reader, whatever the input. */
export function expectSound(records: VenueRecords, received_at: Micros): void {
  expect(faultsOf(allOf(records), received_at)).toEqual([])
}

function faultsOf({ quotes, trades, resolutions, references, books }: ReturnType<typeof allOf>, received_at: Micros) {
  const schedules = references.flatMap((r) => [r.opens_at, r.closes_at, r.expected_resolution_at])
  const levels = [...trades, ...books.flatMap(({ bids, asks }) => [...bids, ...asks])]
  const shown = quotes.map(({ book }) => book!)
  const prices = [...levels.map(({ price }) => price), ...shown.flatMap((b) => [b.bid, b.ask, b.last_trade])]
  const quantities = [...levels.map(({ quantity }) => quantity), ...shown.flatMap((b) => [b.bid_depth, b.ask_depth])]
  return [
    ...[...quotes, ...trades, ...resolutions, ...references, ...books].filter(
      (record) =>
        /^(KXMVE.*)?$/.test(record.source_market_id) ||
        record.received_at > received_at ||
        record.source_at > record.received_at ||
        !isPlausible(record.source_at),
    ),
    ...schedules.filter((instant) => instant !== null && !isPlausible(instant)),
    // Strictly between 0 and 1, 9 fraction digits: at 0 and 1 nothing is quoted or traded.
    ...prices.filter((price) => price !== null && !/^0\.(?!0{9}$)\d{9}$/.test(price)),
    ...quantities.filter((quantity) => quantity !== null && !/^(?!0\.0{6}$)(0|[1-9]\d{0,11})\.\d{6}$/.test(quantity)),
    ...shown.filter((b) => (b.bid === null && b.bid_depth !== null) || (b.ask === null && b.ask_depth !== null)),
    ...books.filter(({ bids, asks }) => !isFalling(bids) || !isFalling([...asks].reverse())),
    ...resolutions.filter(({ payouts }) => !payWhole(payouts)),
  ]
}

function isPlausible(instant: Micros): boolean {
  return Number.isSafeInteger(instant) && instant >= PLAUSIBLE[0] && instant < PLAUSIBLE[1]
}

/** Best first, one level a price. */
function isFalling(levels: readonly BookLevel[]): boolean {
  return levels.every(({ price }, n) => n === 0 || price < levels[n - 1]!.price)
}

function payWhole(payouts: readonly Payout[]): boolean {
  const [yes, no] = payouts.map(({ payout }) => BigInt(payout.replace('.', '')))
  const named = payouts.map(({ outcome }) => outcome).join() === 'YES,NO'
  return named && yes! >= 0n && no! >= 0n && yes! + no! === 1_000_000_000n
}

import { idField, optionalText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, readItem, readPart } from '../read-payload.ts'
import type { ReferenceRecord, ResolutionRecord } from '../record.ts'
import { isCombo } from './combos.ts'
import { listField, readEach } from './lists.ts'
import type { Base, Reading } from './memory.ts'
import { readMetrics } from './metrics.ts'
import { priceUnits, statedPrice } from './prices.ts'
import { baseOf, pushQuotes, readTouch } from './quotes.ts'
import { stateMarket } from './references.ts'
import { payoutOf, stateResult } from './resolutions.ts'
import { optionalTimeField, scheduleField } from './times.ts'

type Status = NonNullable<ReferenceRecord['status']>

/** Words of a market's `status` field and of the list filter, which differ. */
const STATUSES = new Map<string, Status>([
  ['initialized', 'scheduled'],
  ['unopened', 'scheduled'],
  ['active', 'open'],
  ['open', 'open'],
  ['inactive', 'paused'],
  ['paused', 'paused'],
  ['closed', 'closed'],
  ['determined', 'resolving'],
  ['disputed', 'resolving'],
  ['amended', 'resolving'],
  ['finalized', 'resolved'],
  ['settled', 'resolved'],
])

/** Reads a market's status in our words; null if absent. @throws Quarantined BAD_FLAG for an unknown word */
function statusField(market: JsonTextObject): Status | null {
  const word = optionalText(market, 'status')
  if (word === null) return null
  const status = STATUSES.get(word)
  if (status === undefined) throw new Quarantined('BAD_FLAG')
  return status
}

/** Returns whether a market of this status shows tradable quotes: a closed one keeps stale ones for a while. */
export function hasQuotes(status: Status | null): boolean {
  return status === null || status === 'open' || status === 'paused'
}

/** Returns the finality of a result by the market's status word: paid out, contested, or named but not paid. */
function finalityOf(market: JsonTextObject): ResolutionRecord['finality'] {
  if (market.status === 'disputed') return 'disputed'
  return statusField(market) === 'resolved' ? 'final' : 'proposed'
}

/** Reads `GET /markets`, `GET /historical/markets`: `{cursor, markets[]}`. */
export function readMarkets(body: JsonTextObject, reading: Reading): void {
  readMarketList(listField(body, 'markets'), 'markets', reading)
}

/** Reads `GET /markets/{ticker}`, `GET /historical/markets/{ticker}`: `{market}`. */
export function readMarket(body: JsonTextObject, reading: Reading): void {
  const market = objectOf(body.market)
  readItem(reading.out, reading.payload.file, 'market', (origin) => readOne(market, origin, reading))
}

/** Reads a list of markets nested in any payload. */
export function readMarketList(list: readonly JsonText[], path: string, reading: Reading): void {
  readEach(reading, list, path, (market, origin) => readOne(market, origin, reading))
}

/**
 * Reads one market object: the market, its sizes, its quotes while it trades, its result once it has one. A part that breaks a
 * rule does not affect the others. A combination gives nothing.
 */
function readOne(market: JsonTextObject, origin: PayloadOrigin, reading: Reading): Outcome {
  if (isCombo(market)) return 'COMBINATION'
  const { out } = reading
  const event_ticker = idField(market, 'event_ticker')
  const status = statusField(market)
  const base = baseOf(reading, origin, idField(market, 'ticker'), reading.payload.received_at)
  readPart(out, origin, () =>
    stateMarket(reading, base, market, { event_ticker, status, schedule: scheduleOf(market) }),
  )
  readPart(out, origin, () => readMetrics(market, base, out))
  if (hasQuotes(status)) readPart(out, origin, () => readQuotes(market, base, reading))
  readPart(out, origin, () => readResult(market, base.source_market_id, origin, reading))
  return 'taken'
}

function scheduleOf(market: JsonTextObject) {
  return {
    opens_at: scheduleField(market, 'open_time'),
    closes_at: scheduleField(market, 'close_time'),
    expected_resolution_at: scheduleField(market, 'expected_expiration_time'),
  }
}

function readQuotes(market: JsonTextObject, base: Base, reading: Reading): void {
  const touch = readTouch(market, [market.last_price_dollars, market.last_price], priceUnits(market))
  pushQuotes(reading, base, touch, { source_sequence: null, confirmed_at: base.received_at })
}

function readResult(market: JsonTextObject, ticker: string, origin: PayloadOrigin, reading: Reading): void {
  const finality = finalityOf(market)
  // Before it is paid the settlement value may still have its default.
  const settled = finality === 'final' || market.result === 'scalar'
  const settlement = settled
    ? statedPrice(market.settlement_value_dollars, market.settlement_value, priceUnits(market))
    : null
  const payout = payoutOf(market, settlement)
  if (payout === null) return
  const stated_at = finality === 'final' ? optionalTimeField(market, 'settlement_ts') : null
  stateResult(reading, origin, ticker, { finality, payout, stated_at })
}

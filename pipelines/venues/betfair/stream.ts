import type { LastOfMinute } from '../../market/last-of-minute.ts'
import { required } from '../../text/fields.ts'
import { idField } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { countRecords, type EndedMinutes, type PayloadOrigin, type PayloadRecords, readItem } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { CLOCK_AHEAD_MAX, optionalSourceMillis } from '../source-times.ts'
import { applyMarketChange, type StreamMessage } from './market-change.ts'
import { forgetBooks, type Markets, marketOf } from './market-memory.ts'
import { type MarketMoment, marketMoment, minuteRecords } from './market-minute.ts'
import { orLost } from './or-lost.ts'

/** State kept from message to message. */
export type StreamMemory = { readonly markets: Markets; readonly moments: LastOfMinute<MarketMoment> }

/** Messages about the connection itself, and those that a recorder sent. */
const OTHER_MESSAGES: readonly unknown[] = [
  'connection',
  'status',
  'authentication',
  'heartbeat',
  'marketSubscription',
  'orderSubscription',
]

/**
 * Reads one line of the market stream. `pt` is the time of publication and orders nothing: messages apply as they come, `pt`
 * may repeat, and a long silence of an open market is not a gap. `clk` is a token of the connection, null in some recordings. A
 * heartbeat has no `mc` and carries no market.
 * @throws Quarantined if the message cannot be read as a whole; then no book of any market is known
 */
export function readStreamMessage(
  document: JsonText,
  payload: VenuePayload,
  out: PayloadRecords,
  memory: StreamMemory,
): void {
  const message = objectOf(document)
  if (OTHER_MESSAGES.includes(message.op)) {
    countConnection(out, payload)
    return
  }
  if (message.op !== 'mcm') throw new Quarantined('UNKNOWN_SHAPE')
  const pt = required(optionalSourceMillis(message, 'pt', payload.received_at, CLOCK_AHEAD_MAX.betfair))
  const changes = listOf(message.mc)
  if (changes.length === 0) countConnection(out, payload)
  changes.forEach((item, n) => {
    readItem(out, payload.file, `mc[${n}]`, (origin) => {
      const { id, change } = orLost(
        () => marketOfChange(item),
        () => forgetAllBooks(memory),
      )
      return readChange(id, change, origin, { payload, pt, out }, memory)
    })
  })
}

/** Counts a message without a market: a heartbeat, or one about the connection itself. */
function countConnection(out: PayloadRecords, payload: VenuePayload): void {
  readItem(out, payload.file, '$', () => 'CONNECTION')
}

/** Discards all books: the lost message may have been about any of them. */
export function forgetAllBooks({ markets }: StreamMemory): void {
  for (const market of markets.values()) forgetBooks(market)
}

function marketOfChange(item: JsonText) {
  const change = objectOf(item)
  return { id: idField(change, 'id'), change }
}

function readChange(
  id: string,
  change: JsonTextObject,
  origin: PayloadOrigin,
  message: StreamMessage,
  { markets, moments }: StreamMemory,
): Outcome {
  const { payload, pt, out } = message
  const market = marketOf(markets, id)
  const before = countRecords(out)
  const rejected = out.quarantine.length
  const ignored = applyMarketChange(market, change, origin, message)
  const outcome = countRecords(out) > before ? 'taken' : ignored
  if (market.ladder_kind !== null) {
    const moment = marketMoment(market, origin, pt, payload.received_at)
    moment.is_within = outcome === 'WITHIN_MINUTE' && out.quarantine.length === rejected
    addRecords(out, moments.add(id, moment))
  }
  if (market.terms?.status === 'CLOSED') {
    addRecords(out, moments.end(id))
    forgetBooks(market)
  }
  return outcome
}

/** Adds the records of a minute that has ended; null: none has. */
export function addRecords(out: EndedMinutes, moment: MarketMoment | null): void {
  if (moment === null) return
  const { origin, is_within } = moment
  if (is_within) out.changed.push({ file: origin.file, line: origin.line, from: 'WITHIN_MINUTE', to: 'taken' })
  const { books, quotes } = minuteRecords(moment)
  out.books.push(...books)
  out.quotes.push(...quotes)
}

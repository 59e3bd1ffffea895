import type { LastOfMinute } from '../../market/last-of-minute.ts'
import { required } from '../../text/fields.ts'
import { idField } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readPart } from '../read-payload.ts'
import type { VenuePayload, VenueRecords } from '../record.ts'
import { optionalSourceMillis } from '../source-times.ts'
import { applyMarketChange, type StreamMessage } from './market-change.ts'
import { forgetBooks, type Markets, marketOf } from './market-memory.ts'
import { type MarketMoment, marketMoment, minuteRecords } from './market-minute.ts'
import { orLost } from './or-lost.ts'

/** State kept from message to message. */
export type StreamMemory = { readonly markets: Markets; readonly moments: LastOfMinute<MarketMoment> }

/** Messages about the connection itself. */
const OTHER_MESSAGES: readonly unknown[] = ['connection', 'status']

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
  if (OTHER_MESSAGES.includes(message.op)) return
  if (message.op !== 'mcm') throw new Quarantined('UNKNOWN_SHAPE')
  const pt = required(optionalSourceMillis(message, 'pt', payload.received_at))
  listOf(message.mc).forEach((item, n) => {
    const origin = { file: payload.file, line: n + 1, path: `mc[${n}]` }
    readPart(out, origin, () => {
      const { id, change } = orLost(
        () => marketOfChange(item),
        () => forgetAllBooks(memory),
      )
      readChange(id, change, origin, { payload, pt, out }, memory)
    })
  })
}

/** Discards all books: the lost message may have been about any of them. */
export function forgetAllBooks({ markets }: StreamMemory): void {
  for (const market of markets.values()) forgetBooks(market)
}

/** Returns the records of the minutes that no later message has ended. */
export function lastRecords({ moments }: StreamMemory): VenueRecords {
  const records = moments.finish().map(minuteRecords)
  return {
    books: records.flatMap(({ books = [] }) => books),
    quotes: records.flatMap(({ quotes = [] }) => quotes),
  }
}

function marketOfChange(item: JsonText) {
  const change = objectOf(item)
  return { id: idField(change, 'id'), change }
}

function readChange(
  id: string,
  change: JsonTextObject,
  origin: MarketMoment['origin'],
  message: StreamMessage,
  { markets, moments }: StreamMemory,
): void {
  const { payload, pt, out } = message
  const market = marketOf(markets, id)
  applyMarketChange(market, change, origin, message)
  if (market.has_ladders) {
    addRecords(out, moments.add(id, marketMoment(market, origin, pt, payload.received_at)))
  }
  if (market.terms?.status !== 'CLOSED') return
  addRecords(out, moments.end(id))
  forgetBooks(market)
}

function addRecords(out: PayloadRecords, moment: MarketMoment | null): void {
  if (moment === null) return
  const { books = [], quotes = [] } = minuteRecords(moment)
  out.books.push(...books)
  out.quotes.push(...quotes)
}

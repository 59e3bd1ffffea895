import type { Micros } from '../../../primitives/instants.ts'
import { readWord } from '../fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../json-text.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { AGGRESSOR_SIDES } from '../record.ts'
import type { LevelChange, LiveBook } from './live-book.ts'
import { attempt, lostAt, type Place, type Reading } from './reading.ts'
import { pushTouch } from './stream-quote.ts'
import { readMillis } from './times.ts'
import { readPrice, readQuantity, readQuotedPrice } from './values.ts'

type Entry = { readonly item: JsonTextObject; readonly place: Place }

/**
 * `price_change`: new totals at price levels, of both tokens of a market in any order; what concerns one token is applied
 * as one change. A change that cannot be read, or after which our best prices are not those that the venue states with
 * it, leaves the token's book unknown until the next whole one.
 */
export function readPriceChange(reading: Reading, message: JsonTextObject, place: Place): void {
  if (!Array.isArray(message.price_changes)) throw new Quarantined('UNKNOWN_SHAPE')
  for (const entries of byToken(reading, listOf(message.price_changes), place).values()) {
    const last = entries.at(-1)!
    attempt(reading, last.place, () => changeBook(reading, message, entries, last.place))
  }
}

/** Entries by token, each list in the order of the message. */
function byToken(reading: Reading, items: readonly JsonText[], { line, path }: Place): Map<string, Entry[]> {
  const prefix = path === '$' ? '' : `${path}.`
  const tokens = new Map<string, Entry[]>()
  for (const [i, value] of items.entries()) {
    const place = { line, path: `${prefix}price_changes[${i}]` }
    const item = attempt(reading, place, () => objectOf(value))
    if (item === null) continue
    const token = String(item.asset_id)
    const entries = tokens.get(token)
    if (entries === undefined) tokens.set(token, [{ item, place }])
    else entries.push({ item, place })
  }
  return tokens
}

function changeBook(reading: Reading, message: JsonTextObject, entries: readonly Entry[], place: Place): void {
  const { received_at } = reading.payload
  const token = reading.memory.tokens.find(entries[0]!.item.asset_id, null)
  const live = reading.memory.book(token.token_id)
  const taken = parseRecord(() => takeChanges(reading, message, entries, live))
  if ('reason' in taken) {
    live.lose(lostAt(reading, message))
    throw new Quarantined(taken.reason)
  }
  if (taken.record === null) return
  // The change itself is real, so the book has it; a quote that is received before its instant is not taken.
  if (taken.record > received_at) throw new Quarantined('SOURCE_AFTER_RECEIVED')
  pushTouch(reading, place, token, live)
}

/** The message's time, or null where the book had the changes already. */
function takeChanges(
  { memory, payload }: Reading,
  message: JsonTextObject,
  entries: readonly Entry[],
  live: LiveBook,
): Micros | null {
  const last = entries.at(-1)!.item
  memory.tokens.find(last.asset_id, message.market)
  const source_at = readMillis(message.timestamp)
  if (live.contains(source_at)) return null
  if (!live.book.known) throw new Quarantined('NO_BASE_BOOK')
  const changes = entries.map(({ item }) => readChange(item))
  live.apply(changes, Math.min(source_at, payload.received_at))
  checkBest(live, last)
  return source_at
}

function readChange(item: JsonTextObject): LevelChange {
  const side = typeof item.side === 'string' ? readWord(item.side, AGGRESSOR_SIDES) : null
  if (side === null) throw new Quarantined('MISSING_FIELD')
  return { side: side === 'BUY' ? 'bid' : 'ask', price: readPrice(item.price), quantity: readQuantity(item.size) }
}

/** The self-check: the venue writes 0 or 1 for the best price of an empty side. @throws Quarantined BOOK_MISMATCH */
function checkBest({ book }: LiveBook, item: JsonTextObject): void {
  const sides = [
    [item.best_bid, book.best('bid')],
    [item.best_ask, book.best('ask')],
  ] as const
  for (const [stated, best] of sides) {
    if (stated === undefined || stated === null) continue
    if (readQuotedPrice(stated) !== readQuotedPrice(best?.price)) throw new Quarantined('BOOK_MISMATCH')
  }
}

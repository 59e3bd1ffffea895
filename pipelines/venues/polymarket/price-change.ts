import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { SIDES } from '../../../vocabulary/order.ts'
import { readWord } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import type { BookLevel } from '../record.ts'
import { CLOCK_AHEAD_MAX } from '../source-times.ts'
import { endMoments, noteMoment } from './book-minutes.ts'
import type { LevelChange, LiveBook } from './live-book.ts'
import type { Location, Reading } from './memory.ts'
import { attempt, lostAt } from './reading.ts'
import { pushStatedTouch, pushTouch } from './stream-quote.ts'
import { readMillis } from './times.ts'
import type { TokenOutcome } from './token-directory.ts'
import { quotedPrice, readPrice, readQuantity, readQuotedPrice } from './values.ts'

type Entry = { readonly item: JsonTextObject; readonly location: Location }

/**
 * Reads `price_change`: new totals at price levels, of both tokens of a market in any order; all entries of one token are
 * applied as one change. If a change cannot be read, or our best prices then differ from the stated ones, the token's book is
 * unknown until the next whole one. While it is unknown, the best prices stated with a change are a quote without depths.
 */
export function readPriceChange(reading: Reading, message: JsonTextObject, location: Location): Outcome {
  let found: Outcome = 'NO_RECORDS'
  for (const entries of byToken(reading, changesOf(message), location).values()) {
    const last = entries.at(-1)!
    const outcome = attempt(reading, last.location, () => changeBook(reading, message, entries, last.location))
    if (outcome !== null && FIRST_COUNTS.indexOf(outcome) < FIRST_COUNTS.indexOf(found)) found = outcome
  }
  return found
}

/** Returns the entries of a message; until September 2025 it stated one token, and its entries in `changes`. */
function changesOf({ price_changes, changes, asset_id = null }: JsonTextObject): readonly JsonText[] {
  if (Array.isArray(price_changes)) return listOf(price_changes)
  if (!Array.isArray(changes)) throw new Quarantined('UNKNOWN_SHAPE')
  return listOf(changes).map((item) => ({ ...objectOf(item), asset_id }))
}

/** Outcomes of one token's change; of both tokens the first in this order is the message's. */
const FIRST_COUNTS: readonly Outcome[] = ['taken', 'WITHIN_MINUTE', 'UNCHANGED', 'IN_BOOK', 'NO_RECORDS']

/** Groups entries by token, each list in the order of the message. */
function byToken(reading: Reading, items: readonly JsonText[], { line, path }: Location): Map<string, Entry[]> {
  const prefix = path === '$' ? '' : `${path}.`
  const tokens = new Map<string, Entry[]>()
  for (const [i, value] of items.entries()) {
    const location = { line, path: `${prefix}price_changes[${i}]` }
    const item = attempt(reading, location, () => objectOf(value))
    if (item === null) continue
    const token = String(item.asset_id)
    const entries = tokens.get(token)
    if (entries === undefined) tokens.set(token, [{ item, location }])
    else entries.push({ item, location })
  }
  return tokens
}

function changeBook(reading: Reading, message: JsonTextObject, entries: readonly Entry[], location: Location): Outcome {
  const token = reading.memory.tokens.find(entries[0]!.item.asset_id, null)
  const live = reading.memory.book(token.token_id)
  if (!live.book.known) return readWithoutBook(reading, message, entries, location)
  const taken = parseRecord(() => takeChanges(reading, message, entries, token, location))
  if ('reason' in taken) {
    // A book whose best prices differ from the venue's was wrong before: its open minute is not recorded.
    if (taken.reason === 'BOOK_MISMATCH') reading.memory.moments.end(token.token_id)
    else endMoments(reading, token.token_id)
    live.lose(lostAt(reading, message))
    throw new Quarantined(taken.reason)
  }
  if (taken.record === null) return 'IN_BOOK'
  // The change itself is real, so the book has it; a quote received before its instant is rejected.
  if (taken.record > latestShown(reading)) throw new Quarantined('SOURCE_AFTER_RECEIVED')
  return pushTouch(reading, location, token, live) ? 'taken' : 'WITHIN_MINUTE'
}

/**
 * Reads a change of an unknown book: a book read by request may replace it from here on.
 * @throws Quarantined NO_BASE_BOOK if the message does not state both best prices
 */
function readWithoutBook(
  reading: Reading,
  message: JsonTextObject,
  entries: readonly Entry[],
  location: Location,
): Outcome {
  const { item } = entries.at(-1)!
  const token = reading.memory.tokens.find(item.asset_id, message.market)
  reading.memory.book(token.token_id).lose(lostAt(reading, message))
  const { bid, ask } = statedBest(item)
  if (bid === undefined || ask === undefined) throw new Quarantined('NO_BASE_BOOK')
  return pushStatedTouch(reading, location, token, { bid, ask }, readMillis(message.timestamp))
}

/** Applies changes; returns the message's time, or null if the book contained the changes already. */
function takeChanges(
  reading: Reading,
  message: JsonTextObject,
  entries: readonly Entry[],
  { token_id }: TokenOutcome,
  location: Location,
): Micros | null {
  const { memory } = reading
  const live = memory.book(token_id)
  const last = entries.at(-1)!.item
  const token = memory.tokens.find(last.asset_id, message.market)
  const source_at = readMillis(message.timestamp)
  if (live.contains(source_at)) return null
  const changes = entries.map(({ item }) => readChange(item))
  const stated = statedBest(last)
  // A book that shows the future is not recorded: it would belong to no past instant.
  if (source_at > latestShown(reading)) endMoments(reading, token_id)
  else noteMoment(reading, location, token, Math.max(source_at, live.shows_at))
  live.apply(changes, Math.min(source_at, latestShown(reading)))
  checkBest(live, stated)
  return source_at
}

/** The latest instant that a message may state when it is received. */
function latestShown({ payload }: Reading): Micros {
  return payload.received_at + CLOCK_AHEAD_MAX.polymarket
}

function readChange(item: JsonTextObject): LevelChange {
  const side = typeof item.side === 'string' ? readWord(item.side, SIDES) : null
  if (side === null) throw new Quarantined('MISSING_FIELD')
  return { side: side === 'BUY' ? 'bid' : 'ask', price: readPrice(item.price), quantity: readQuantity(item.size) }
}

/** Best prices stated with a change: undefined if absent, null for an empty side (0 or 1). */
type StatedBest = Record<BookSide, DecimalString | null | undefined>

function statedBest({ best_bid, best_ask }: JsonTextObject): StatedBest {
  return { bid: statedPrice(best_bid), ask: statedPrice(best_ask) }
}

function statedPrice(value: JsonText | undefined): DecimalString | null | undefined {
  return (value ?? null) === null ? undefined : readQuotedPrice(value)
}

/** Checks the rebuilt book. @throws Quarantined BOOK_MISMATCH */
function checkBest({ book }: LiveBook, stated: StatedBest): void {
  if (!agrees(stated.bid, book.best('bid')) || !agrees(stated.ask, book.best('ask'))) {
    throw new Quarantined('BOOK_MISMATCH')
  }
}

function agrees(stated: DecimalString | null | undefined, best: BookLevel | null): boolean {
  return stated === undefined || stated === quotedPrice(best?.price ?? null)
}

import type { DecimalString } from '../../../primitives/decimal.ts'
import { type BookSide, isSameLevel, OrderBook } from '../../market/order-book.ts'
import { readWord } from '../fields.ts'
import { idField, requiredText } from '../json-fields.ts'
import { type JsonTextObject, objectOf } from '../json-text.ts'
import { minuteOf } from '../minute-stamps.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import { touchOf } from './books.ts'
import { isCombo } from './combos.ts'
import { complementLevels, readLadder } from './ladders.ts'
import type { LiveBook, Reading, Subscription } from './memory.ts'
import { complementText, requiredPriceText } from './prices.ts'
import { changedQuantity, NO_QUANTITY, statedChange } from './quantities.ts'
import { type Base, baseOf, pushQuotes } from './quotes.ts'
import { messageTime } from './times.ts'
import { keyOf, loseBook, loseBooks, noteMoment } from './ws-minutes.ts'
import { advance, frameNumber, type Step, subscriptionOf } from './ws-subscriptions.ts'

/** One message about a book, placed in its subscription. */
type Message = {
  readonly subscription: Subscription
  readonly seq: number
  readonly step: Step
  readonly msg: JsonTextObject
  readonly ticker: string
}

/** `orderbook_snapshot`: a whole book, from which on changes count. */
export function readBookSnapshot(frame: JsonTextObject, reading: Reading): void {
  const message = placed(frame, false, reading)
  const { subscription, msg, ticker } = message
  if (isCombo(msg)) return
  const live: LiveBook = { key: keyOf(subscription, ticker), book: new OrderBook(), quoted: null }
  orLost(message, reading, () => live.book.replace(readLadder(msg, 'yes'), complementLevels(readLadder(msg, 'no'))))
  subscription.books.set(ticker, live)
  const base = timed(message, reading)
  noteMoment({ source_at: base.source_at, base, source_sequence: message.seq, live }, reading)
  quote(live, base, message.seq, reading)
}

/**
 * `orderbook_delta`: a signed change of one level, not its total.
 * @throws Quarantined SEQUENCE_GAP, NO_BASE_BOOK, BOOK_MISMATCH: the book is unknown until the next whole one
 */
export function readBookChange(frame: JsonTextObject, reading: Reading): void {
  const message = placed(frame, true, reading)
  const { subscription, step, msg, ticker, seq } = message
  if (isCombo(msg) || step === 'repeated') return
  if (step === 'hole') throw new Quarantined('SEQUENCE_GAP')
  const live = subscription.books.get(ticker)
  if (live === undefined) throw new Quarantined('NO_BASE_BOOK')
  const change = orLost(message, reading, () => changeOf(msg, live.book))
  // A message whose time cannot be right changes the book like any other; only its quotes are refused.
  const base = parseRecord(() => timed(message, reading))
  if ('record' in base) {
    const { source_at } = base.record
    noteMoment({ source_at, base: base.record, source_sequence: seq, live }, reading)
  }
  live.book.set(change.side, change.price, change.quantity)
  if ('reason' in base) throw new Quarantined(base.reason)
  quote(live, base.record, seq, reading)
}

/** Reads a frame's place. One that has none may be about any book: all are unknown then. */
function placed(frame: JsonTextObject, repeatable: boolean, reading: Reading): Message {
  const subscription = subscriptionOf(frame, reading)
  const parsed = parseRecord(() => {
    const seq = frameNumber(frame, 'seq')
    const step = advance(subscription, seq, repeatable, reading)
    const msg = objectOf(frame.msg)
    return { subscription, seq, step, msg, ticker: idField(msg, 'market_ticker') }
  })
  if ('record' in parsed) return parsed.record
  loseBooks(subscription, reading)
  throw new Quarantined(parsed.reason)
}

/** Reads what a message does to its book; where that cannot be read the book is unknown. */
function orLost<T>({ subscription, ticker }: Message, reading: Reading, read: () => T): T {
  const parsed = parseRecord(read)
  if ('record' in parsed) return parsed.record
  loseBook(subscription, ticker, reading)
  throw new Quarantined(parsed.reason)
}

/** What rests at a price after a message. */
type Change = { readonly side: BookSide; readonly price: DecimalString; readonly quantity: DecimalString }

/** A bid for NO is an ask of YES at one minus its price. @throws Quarantined BOOK_MISMATCH where more is taken than rests */
function changeOf(msg: JsonTextObject, book: OrderBook): Change {
  const outcome = readWord(requiredText(msg, 'side'), ['yes', 'no'])
  const stated = requiredPriceText(msg)
  const delta = statedChange(msg.delta_fp, msg.delta)
  const [side, price] = outcome === 'yes' ? (['bid', stated] as const) : (['ask', complementText(stated)] as const)
  const resting = book.at(side, price)?.quantity ?? NO_QUANTITY
  const quantity = changedQuantity(resting, delta)
  if (quantity === null) throw new Quarantined('BOOK_MISMATCH')
  return { side, price, quantity }
}

function timed({ msg, ticker }: Message, reading: Reading): Base {
  const place = { file: reading.payload.file, line: 1, path: 'msg' }
  return baseOf(reading, place, ticker, messageTime(msg, reading.payload))
}

/** Quotes where the best levels moved, and of a book that stirs below them once a minute: it still stands. */
function quote(live: LiveBook, base: Base, source_sequence: number, { out }: Reading): void {
  const [yes, no_as_ask] = [live.book.best('bid'), live.book.best('ask')]
  const minute = minuteOf(base.source_at)
  const { quoted } = live
  if (quoted?.minute === minute && isSameLevel(quoted.yes, yes) && isSameLevel(quoted.no_as_ask, no_as_ask)) return
  live.quoted = { minute, yes, no_as_ask }
  const [no] = no_as_ask === null ? [] : complementLevels([no_as_ask])
  pushQuotes(out, base, touchOf(yes, no ?? null), { source_sequence, confirmed_at: null })
}

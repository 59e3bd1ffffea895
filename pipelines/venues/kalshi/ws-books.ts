import type { DecimalString } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { BookSide } from '../../../vocabulary/market.ts'
import { isSameLevel, OrderBook } from '../../market/order-book.ts'
import { readWord } from '../../text/fields.ts'
import { idField, requiredText } from '../../text/json-fields.ts'
import { type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { minuteOf } from '../minute-stamps.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { isConfirmationDue } from '../standing-quote.ts'
import { touchOf } from './books.ts'
import { isCombo } from './combos.ts'
import { ComplementedSide, complementLevel, complementLevels, readLadder } from './ladders.ts'
import type { Base, BookMoment, LiveBook, Reading, Subscription } from './memory.ts'
import { complementText, requiredPriceText } from './prices.ts'
import { changedQuantity, NO_QUANTITY, statedChange } from './quantities.ts'
import { baseOf, pushQuotes, tickerText } from './quotes.ts'
import { messageTime } from './times.ts'
import { keyOf, loseBook, loseBooks, noteMoment } from './ws-minutes.ts'
import { advance, frameNumber, type Step, subscriptionOf } from './ws-subscriptions.ts'

/** One message about a book, located in its subscription. */
type Message = {
  readonly subscription: Subscription
  readonly seq: number
  readonly step: Step
  readonly msg: JsonTextObject
  readonly ticker: string
  /** Book of the ticker; absent if no whole book is known. */
  readonly live: LiveBook | undefined
}

/** Reads `orderbook_snapshot`: a whole book, the base of later changes. */
export function readBookSnapshot(frame: JsonTextObject, reading: Reading): Outcome {
  const message = located(frame, false, reading)
  const { subscription, msg, ticker } = message
  if (isCombo(msg)) return 'COMBINATION'
  const live: LiveBook = {
    ticker: tickerText(ticker),
    key: keyOf(subscription, ticker),
    book: new OrderBook(),
    no_bids: new ComplementedSide(),
    no_asks: new ComplementedSide(),
    quoted: null,
  }
  try {
    live.book.replace(readLadder(msg, 'yes'), complementLevels(readLadder(msg, 'no')))
  } catch (error) {
    loseBook(subscription, ticker, reading)
    throw error
  }
  subscription.books.set(live.ticker, live)
  const base = timed(message, reading)
  const moment = { source_at: base.source_at, base, source_sequence: message.seq, live, is_within: false }
  noteMoment(moment, reading)
  return quote(moment, reading)
}

/**
 * Reads `orderbook_delta`: a signed change of one level, not its total.
 * @throws Quarantined SEQUENCE_GAP, NO_BASE_BOOK, BOOK_MISMATCH: the book is unknown until the next whole one
 */
export function readBookChange(frame: JsonTextObject, reading: Reading): Outcome {
  const message = located(frame, true, reading)
  const { step, msg, seq, live } = message
  if (isCombo(msg)) return 'COMBINATION'
  if (step === 'repeated') return 'repeated'
  if (step === 'hole') throw new Quarantined('SEQUENCE_GAP')
  if (live === undefined) throw new Quarantined('NO_BASE_BOOK')
  const change = changeOf(message, live.book, reading)
  let base: Base
  try {
    base = timed({ msg, ticker: live.ticker }, reading)
  } catch (error) {
    // A message with an impossible time changes the book like any other; only its quotes are rejected.
    live.book.set(change.side, change.price, change.quantity)
    throw error
  }
  const moment = { source_at: base.source_at, base, source_sequence: seq, live, is_within: false }
  noteMoment(moment, reading)
  live.book.set(change.side, change.price, change.quantity)
  return quote(moment, reading)
}

/** Locates a frame in its subscription. One without a number may be about any book: all are unknown then. */
function located(frame: JsonTextObject, repeatable: boolean, reading: Reading): Message {
  const subscription = subscriptionOf(frame, reading)
  try {
    const seq = frameNumber(frame, 'seq')
    const step = advance(subscription, seq, repeatable, reading)
    const msg = objectOf(frame.msg)
    const { market_ticker } = msg
    // The ticker of a known book has been validated before.
    const live = typeof market_ticker === 'string' ? subscription.books.get(market_ticker) : undefined
    return { subscription, seq, step, msg, ticker: live?.ticker ?? idField(msg, 'market_ticker'), live }
  } catch (error) {
    loseBooks(subscription, reading)
    throw error
  }
}

const SIDES = ['yes', 'no'] as const

/** New total at a price after a message. */
type Change = { readonly side: BookSide; readonly price: DecimalString; readonly quantity: DecimalString }

/** Reads a message's change of its book; if it cannot be read the book is unknown. @throws Quarantined */
function changeOf({ msg, subscription, ticker }: Message, book: OrderBook, reading: Reading): Change {
  try {
    return statedChangeOf(msg, book)
  } catch (error) {
    loseBook(subscription, ticker, reading)
    throw error
  }
}

/**
 * Reads a change. A bid for NO is an ask of YES at one minus its price. @throws Quarantined BOOK_MISMATCH if more is taken than
 * rests
 */
function statedChangeOf(msg: JsonTextObject, book: OrderBook): Change {
  const outcome = msg.side === 'yes' || msg.side === 'no' ? msg.side : readWord(requiredText(msg, 'side'), SIDES)
  const stated = requiredPriceText(msg)
  const delta = statedChange(msg.delta_fp, msg.delta)
  const side = outcome === 'yes' ? 'bid' : 'ask'
  const price = outcome === 'yes' ? stated : complementText(stated)
  const resting = book.at(side, price)?.quantity ?? NO_QUANTITY
  const quantity = changedQuantity(resting, delta)
  if (quantity === null) throw new Quarantined('BOOK_MISMATCH')
  return { side, price, quantity }
}

function timed({ msg, ticker }: Pick<Message, 'msg' | 'ticker'>, reading: Reading): Base {
  const origin = { file: reading.payload.file, line: 1, path: 'msg' }
  return baseOf(reading, origin, ticker, messageTime(msg, reading.payload))
}

/**
 * Records quotes if the best levels moved, and in every minute and half minute for a book that changes below them. A message
 * without quotes counts only if its book turns out to be the last of its minute.
 */
function quote(moment: BookMoment, reading: Reading): Outcome {
  const { live, base, source_sequence } = moment
  const yes = live.book.best('bid')
  const no_as_ask = live.book.best('ask')
  const { source_at } = base
  if (live.quoted !== null && !isDue(live.quoted.at, source_at)) {
    if (isSameLevel(live.quoted.yes, yes) && isSameLevel(live.quoted.no_as_ask, no_as_ask)) {
      moment.is_within = true
      return 'WITHIN_MINUTE'
    }
  }
  live.quoted = { at: source_at, yes, no_as_ask }
  const no = no_as_ask === null ? null : complementLevel(no_as_ask)
  pushQuotes(reading, base, touchOf(yes, no), { source_sequence, confirmed_at: null })
  return 'taken'
}

function isDue(quoted_at: Micros, source_at: Micros): boolean {
  return minuteOf(quoted_at) !== minuteOf(source_at) || isConfirmationDue(quoted_at, source_at)
}

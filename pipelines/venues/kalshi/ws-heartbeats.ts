import { MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { readOptionalInteger, required } from '../../text/fields.ts'
import { textOrNull } from '../../text/json-fields.ts'
import { type JsonTextObject, listOf } from '../../text/json-text.ts'
import { isConfirmationDue } from '../standing-quote.ts'
import { touchOf } from './books.ts'
import { complementLevel } from './ladders.ts'
import { hasQuotes } from './markets.ts'
import type { LiveBook, Reading, Touch } from './memory.ts'
import { pushQuotes } from './quotes.ts'
import { endMinuteBefore } from './ws-minutes.ts'

/** Time after the end of a minute in which messages about it may still arrive. */
const LATE: Micros = 30 * MICROS_PER_SECOND

/**
 * Reads an answered ping: `{type, sids}` with the subscriptions of the connection. The venue numbers the messages of a subscription, and
 * whatever it sent before the answer has arrived. So every book that no gap made unknown stands: its newest quotes are confirmed, and
 * the book of an ended minute is recorded without waiting for the message that would end it.
 */
export function readHeartbeat(frame: JsonTextObject, reading: Reading): void {
  for (const sid of listOf(frame.sids)) {
    const subscription = reading.memory.subscriptions.get(
      String(required(readOptionalInteger(required(textOrNull(sid))))),
    )
    for (const live of subscription?.books.values() ?? []) confirmBook(live, reading)
  }
}

/** Quotes that state other best prices than the book are not confirmed: one of the two channels is behind. */
function confirmBook(live: LiveBook, reading: Reading): void {
  const { received_at, file } = reading.payload
  endMinuteBefore(live, received_at - LATE, reading)
  if (!hasQuotes(reading.memory.references.get(live.ticker)?.status ?? null)) return
  const newest = reading.memory.newest_quotes.get(live.ticker)
  if (newest === undefined || !isConfirmationDue(newest.seen_at, received_at)) return
  if (!isTopOf(newest.touch, live)) return
  const base = { ...newest.base, file, line: 1, path: '$', received_at }
  pushQuotes(reading, base, newest.touch, { source_sequence: newest.source_sequence, confirmed_at: received_at })
}

function isTopOf(quoted: Touch, { book }: LiveBook): boolean {
  const no_as_ask = book.best('ask')
  const top = touchOf(book.best('bid'), no_as_ask === null ? null : complementLevel(no_as_ask))
  return (
    quoted.yes_bid === top.yes_bid &&
    quoted.no_bid === top.no_bid &&
    (quoted.yes_depth === null || quoted.yes_depth === top.yes_depth) &&
    (quoted.no_depth === null || quoted.no_depth === top.no_depth)
  )
}

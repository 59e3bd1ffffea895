import { readOptionalInteger, required } from '../../text/fields.ts'
import { textOrNull } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { Reading, Subscription } from './memory.ts'
import { loseBooks } from './ws-minutes.ts'

/** Sequence of a websocket subscription (`sid`): each message of its books increments it by one. */

/** Result of comparing a message's number with the last one. */
export type Step = 'next' | 'repeated' | 'hole'

/** Reads the required whole number in a frame's field. */
export function frameNumber(frame: JsonTextObject, field: 'sid' | 'seq'): number {
  const value = field === 'sid' ? frame.sid : frame.seq
  return required(readOptionalInteger(required(textOrNull(value))))
}

/** Returns the subscription of a frame, created if it is new. */
export function subscriptionOf(frame: JsonTextObject, { memory }: Reading): Subscription {
  const sid = String(frameNumber(frame, 'sid'))
  const known = memory.subscriptions.get(sid)
  if (known !== undefined) return known
  const created: Subscription = { sid, last_seq: null, books: new Map() }
  memory.subscriptions.set(sid, created)
  return created
}

/**
 * Takes a frame's number. Any other than the next one is a gap, and then every book of the subscription is unknown: also a
 * smaller one, because a new connection counts from the start under the same ids. Only the very last message again is a
 * repetition.
 */
export function advance(subscription: Subscription, seq: number, repeatable: boolean, reading: Reading): Step {
  const { last_seq } = subscription
  subscription.last_seq = seq
  if (last_seq === null || seq === last_seq + 1) return 'next'
  if (repeatable && seq === last_seq) return 'repeated'
  loseBooks(subscription, reading)
  return 'hole'
}

/** Takes an acknowledgement's number if it is the next of the sequence; one that repeats the last number is ignored. */
export function noteSequence(frame: JsonTextObject, reading: Reading): void {
  if (frame.sid === undefined || frame.seq === undefined) return
  const subscription = subscriptionOf(frame, reading)
  const seq = frameNumber(frame, 'seq')
  if (subscription.last_seq !== null && seq === subscription.last_seq + 1) subscription.last_seq = seq
}

/** Discards a subscription that begins or ends, with its books. */
export function forgetSubscription(frame: JsonTextObject, reading: Reading): void {
  const { msg } = frame
  const inner = typeof msg === 'object' && msg !== null && !Array.isArray(msg) ? (msg as JsonTextObject).sid : undefined
  const sid = frame.sid ?? inner
  const subscription = typeof sid === 'string' ? reading.memory.subscriptions.get(sid) : undefined
  if (subscription === undefined) return
  loseBooks(subscription, reading)
  reading.memory.subscriptions.delete(subscription.sid)
}

import { readOptionalInteger, required } from '../../text/fields.ts'
import { textOrNull } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { Reading, Subscription } from './memory.ts'
import { loseBooks } from './ws-minutes.ts'

/** The sequence of a websocket subscription (`sid`): every message of its books is one more than the last. */

/** What follows from a message's number. */
export type Step = 'next' | 'repeated' | 'hole'

/** The whole number in a frame's field, which must be there. */
export function frameNumber(frame: JsonTextObject, field: 'sid' | 'seq'): number {
  const value = field === 'sid' ? frame.sid : frame.seq
  return required(readOptionalInteger(required(textOrNull(value))))
}

/** The subscription of a frame, a new one where it is not known. */
export function subscriptionOf(frame: JsonTextObject, { memory }: Reading): Subscription {
  const sid = String(frameNumber(frame, 'sid'))
  const known = memory.subscriptions.get(sid)
  if (known !== undefined) return known
  const created: Subscription = { sid, last_seq: null, books: new Map() }
  memory.subscriptions.set(sid, created)
  return created
}

/**
 * Takes a frame's number. Any other than the next one is a hole, and then every book of the subscription is unknown: also
 * a smaller one, because a new connection counts from the start under the same ids. Only the very last message again is a
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

/** An acknowledgement counts where it is the next of the sequence; where it repeats the last number it does not. */
export function noteSequence(frame: JsonTextObject, reading: Reading): void {
  if (frame.sid === undefined || frame.seq === undefined) return
  const subscription = subscriptionOf(frame, reading)
  const seq = frameNumber(frame, 'seq')
  if (subscription.last_seq !== null && seq === subscription.last_seq + 1) subscription.last_seq = seq
}

/** A subscription that begins or ends: nothing is known of its books. */
export function forgetSubscription(frame: JsonTextObject, reading: Reading): void {
  const { msg } = frame
  const inner = typeof msg === 'object' && msg !== null && !Array.isArray(msg) ? (msg as JsonTextObject).sid : undefined
  const sid = frame.sid ?? inner
  const subscription = typeof sid === 'string' ? reading.memory.subscriptions.get(sid) : undefined
  if (subscription === undefined) return
  loseBooks(subscription, reading)
  reading.memory.subscriptions.delete(subscription.sid)
}

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { PRIVATE_STREAM } from '../../../protocol/limits.ts'
import type { Resume } from '../../../protocol/stream/client-messages.ts'
import type { Gap } from '../../../protocol/stream/server-messages.ts'
import { ReachedStates } from '../../../trading/projections/order-at.ts'
import type { BatchedEvent, StreamReads, StreamView } from '../../../trading/store/read/stream-reads.ts'
import type { Head } from '../../../trading/store/read/trading-reads.ts'
import { decodeEvent } from '../../../trading/store/tailed-event.ts'
import { ownMessage } from '../message.ts'
import type { Content, PlacedEngineEvent } from './content.ts'
import type { PrivateSubscription } from './private-subscription.ts'
import { PRIVATE_SOURCES } from './sources/all-private-sources.ts'

export type JoinPorts = {
  readonly reads: StreamReads
  readonly now: () => Micros
}

/** Missed events per read. */
const PAGE = 500
/** Queued bytes above which reading of missed events pauses until the socket has accepted some. */
const ROOM_BYTES = 1024 * 1024
const ROOM_MS = 10

/** Resources of a snapshot that are sent in one turn of the event loop. */
const SLICE = 100

type Lost = { readonly from_seq: number; readonly reason: Gap['reason'] }

/**
 * Makes a subscription live: sends `subscribed`, then the missed events or a snapshot. New events are held back or read again
 * meanwhile, so nothing is lost or repeated.
 * @throws {ServiceError} VALIDATION_MESSAGE_INVALID: a seq ahead of the engine; SERVICE_UNAVAILABLE
 */
export async function joinSubscription(
  ports: JoinPorts,
  subscription: PrivateSubscription,
  id: string,
  resume: Resume | null,
): Promise<void> {
  if (resume === null) return sendSnapshot(ports, subscription, id, null)
  const { head, reason } = await ports.reads.together((view) => whyNot(ports, view, subscription, resume))
  const { epoch, after_seq } = resume
  if (reason !== null) return sendSnapshot(ports, subscription, id, { from_seq: after_seq, reason })
  if (subscription.has_ended) return
  const place = { mode: 'resumed', epoch, seq: after_seq } as const
  subscription.send(subscribed(subscription, id, place))
  await sendMissed(ports, subscription, head.epoch, after_seq)
}

/** Sends a subscription the gap of what it lost, and a snapshot. */
export async function recoverSubscription(ports: JoinPorts, subscription: PrivateSubscription): Promise<void> {
  const from_seq = subscription.beginRecovery()
  await sendSnapshot(ports, subscription, null, { from_seq, reason: 'slow_consumer' })
}

/** Returns why missed events cannot be sent; null: they can. */
async function whyNot(
  { now }: JoinPorts,
  view: StreamView,
  { topic, part }: PrivateSubscription,
  { epoch, after_seq }: Resume,
): Promise<{ readonly head: Head; readonly reason: Lost['reason'] | null }> {
  const head = await view.head()
  if (epoch !== head.epoch) return { head, reason: 'epoch_changed' }
  if (after_seq > head.engine_sequence) {
    const message = `resume.after_seq is ${after_seq}; allowed: a seq of this epoch, which is at ${head.engine_sequence}`
    throw new ServiceError('VALIDATION_MESSAGE_INVALID', message, { field: 'resume.after_seq' })
  }
  const { event_kinds } = PRIVATE_SOURCES[topic]
  const [first] = await view.eventsAfter(part.account_id, event_kinds, after_seq, 1)
  const kept_from = now() - PRIVATE_STREAM.resume_retention_ms * 1000
  return { head, reason: first !== undefined && first.at < kept_from ? 'retention' : null }
}

/** Sends a snapshot. @param id id of the subscribe message; null: the subscription exists already */
async function sendSnapshot(
  { reads }: JoinPorts,
  subscription: PrivateSubscription,
  id: string | null,
  lost: Lost | null,
): Promise<void> {
  const { topic, part, sid } = subscription
  const source = PRIVATE_SOURCES[topic]
  subscription.hold()
  const { head, before, found } = await reads.together(async (view) => {
    const head = await view.head()
    const before = await view.lastEventOf(part.account_id, source.event_kinds, head.engine_sequence)
    return { head, before, found: await source.ofSnapshot(view, part, source.snapshot_max + 1, head) }
  })
  if (subscription.has_ended) return
  const { epoch, engine_sequence: seq } = head
  subscription.recover()
  subscription.begin(epoch, seq, before)
  if (id !== null) subscription.send(subscribed(subscription, id, { mode: 'snapshot', epoch, seq }))
  if (lost !== null) subscription.send(ownMessage({ type: 'gap', sid, to_seq: seq, ...lost }))
  // The newest are sent, oldest first; the one beyond the limit is the first.
  const complete = found.length <= source.snapshot_max
  const shown = complete ? found : found.slice(found.length - source.snapshot_max)
  for (let from = 0; from < shown.length; from += SLICE) {
    if (from > 0) await nextTurn()
    subscription.show(shown.slice(from, from + SLICE))
  }
  subscription.endShow(shown.length, complete)
  subscription.goLive()
}

/** Sends missed events page by page, until the held events follow. */
async function sendMissed(
  { reads }: JoinPorts,
  subscription: PrivateSubscription,
  epoch: string,
  after_seq: number,
): Promise<void> {
  const { topic, part } = subscription
  const { event_kinds } = PRIVATE_SOURCES[topic]
  const memory = new ReachedStates()
  let cursor = await reads.together(async (view) => {
    subscription.begin(epoch, after_seq, await view.lastEventOf(part.account_id, event_kinds, after_seq))
    // From the start of the batch: its earlier events show the state that an order had reached in it.
    return after_seq === 0 ? 0 : view.batchBefore(after_seq)
  })
  for (;;) {
    subscription.hold()
    const { last, contents, is_full } = await reads.together((view) => readPage(view, subscription, cursor, memory))
    if (is_full) subscription.release()
    for (const content of contents) subscription.pass(content)
    cursor = last
    if (!is_full) return subscription.goLive()
    await room(subscription)
    if (subscription.has_ended) return
  }
}

async function readPage(
  view: StreamView,
  { topic, part }: PrivateSubscription,
  after: number,
  memory: ReachedStates,
): Promise<{ readonly last: number; readonly contents: readonly Content[]; readonly is_full: boolean }> {
  const source = PRIVATE_SOURCES[topic]
  const rows = await view.eventsAfter(part.account_id, source.event_kinds, after, PAGE)
  const contents = rows.length === 0 ? [] : await source.ofEvents(view, rows.map(placed), memory)
  return { last: rows.at(-1)?.engine_sequence ?? after, contents, is_full: rows.length === PAGE }
}

function placed(row: BatchedEvent): PlacedEngineEvent {
  const { batch_sequence, last_engine_sequence } = row
  return { event: decodeEvent(row), batch_sequence, last_engine_sequence } as PlacedEngineEvent
}

async function room(subscription: PrivateSubscription): Promise<void> {
  while (!subscription.has_ended && subscription.buffered_bytes > ROOM_BYTES) await pause(ROOM_MS)
}

function subscribed(
  { sid, topic, part }: PrivateSubscription,
  id: string,
  place: { readonly mode: 'snapshot' | 'resumed'; readonly epoch: string; readonly seq: number },
) {
  const { account_id, market_id } = part
  const effective = { account_id, ...(market_id === null ? {} : { market_id }) }
  return ownMessage({ type: 'subscribed', id, sid, topic, ...place, effective })
}

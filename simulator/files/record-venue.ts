import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Poll, Subscription, VenueWire } from '../wire/venue-wire.ts'
import type { WorldBatch } from '../world/events.ts'
import { endOf } from '../world/options.ts'
import { createRandom, type Random } from '../world/random.ts'
import type { World } from '../world/timeline.ts'
import type { RecordedPayload } from './payload.ts'

/** Behavior of a recorder: its polls, delays and connections. */
export const RECORDER = {
  /** Delay before it connects, after the start and after an outage; by then it has read the list of markets. */
  connects_after: 2 * MICROS_PER_SECOND,
  /** Longer than a burst, so messages under way when the next burst begins arrive after it. */
  latency: { low: 20_000, high: 80_000 },
  /** Time between the requests of one poll. */
  request_gap: 500,
  /** Some answers take seconds. */
  slow: { of_million: 20_000, low: MICROS_PER_SECOND, high: 20 * MICROS_PER_SECOND },
  /** No slow answer this close to the end, or it would arrive after it. */
  calm: 3_600 * MICROS_PER_SECOND,
} as const

/** Delivery from a venue to its recorder: `instant` is the view of a client at a simulated clock. */
export type Network = 'delayed' | 'instant'

/**
 * Yields everything a recorder of one venue receives, in the order of `received_at`: answers to its polls and the messages of
 * one connection, which an outage ends and which starts again after it. Runs the world to its end, once.
 * @param on_batch sees every event, also undelivered ones
 */
export function* recordVenue(
  world: World,
  wire: VenueWire,
  on_batch: (batch: WorldBatch) => void = () => undefined,
  network: Network = 'delayed',
): Generator<RecordedPayload> {
  const { options } = world.plan
  const random = createRandom(options.seed, 'recorder', world.venue_id)
  const post = createPost()
  const polls = createPolls(wire.polls, options.start)
  const stream = createStream(world, wire, random, network)
  for (let at = world.nextAt(); at !== null; at = world.nextAt()) {
    for (let poll = polls.due(at); poll !== null; poll = polls.due(at)) {
      if (!world.isDown(poll.at)) post.add(...ask(world, wire, poll, { random, network }))
    }
    yield* post.until(at)
    const batch = world.advance()
    if (batch === null) break
    on_batch(batch)
    post.add(...stream.take(batch))
  }
  yield* post.until(Number.POSITIVE_INFINITY)
}

type Way = { readonly random: Random; readonly network: Network }

/** Requests all pages of all requests of one poll, at the venue's current state. */
function ask(world: World, wire: VenueWire, { at, poll }: DuePoll, { random, network }: Way): RecordedPayload[] {
  const payloads: RecordedPayload[] = []
  for (const first of poll.requests(at)) {
    for (let request: string | null = first; request !== null; ) {
      const response = wire.respond(request, at)
      const under_way = payloads.length * RECORDER.request_gap + latencyOf(world, at, random)
      if (response.status === 200) {
        payloads.push({
          venue_id: world.venue_id,
          endpoint: response.endpoint,
          request,
          received_at: network === 'instant' ? at : at + under_way,
          body: response.body,
        })
      }
      request = response.next
    }
  }
  return payloads
}

function latencyOf({ plan }: World, at: Micros, random: Random): Micros {
  const { latency, slow, calm } = RECORDER
  const may_be_slow = at > plan.options.start + calm && at < endOf(plan.options) - calm
  const fast = random.between(latency.low, latency.high)
  return may_be_slow && random.chance(slow.of_million) ? random.between(slow.low, slow.high) : fast
}

/** Creates the messages of a connection; they arrive in the order in which they were sent. */
function createStream(world: World, wire: VenueWire, random: Random, network: Network) {
  const { venue_id } = world
  let subscription: Subscription | null = null
  let connects_at = world.plan.options.start + RECORDER.connects_after
  let last = 0
  return {
    take(batch: WorldBatch): RecordedPayload[] {
      if (batch.down) {
        subscription = null
        connects_at = batch.at + RECORDER.connects_after
        return []
      }
      if (subscription === null && batch.at < connects_at) return []
      const connected = subscription !== null
      subscription ??= wire.subscribe(batch.at, null)
      const frames = connected ? subscription.frames(batch) : subscription.opening
      return frames.map(({ endpoint, at, text }) => {
        if (network === 'instant') return { venue_id, endpoint, request: null, received_at: batch.at, body: text }
        last = Math.max(last + 1, at + random.between(RECORDER.latency.low, RECORDER.latency.high))
        return { venue_id, endpoint, request: null, received_at: last, body: text }
      })
    },
  }
}

type DuePoll = { readonly at: Micros; readonly poll: Poll }

function createPolls(polls: readonly Poll[], start: Micros) {
  const next = polls.map((poll) => ({ at: start + poll.first, poll }))
  return {
    /** Returns the first poll due at or before an instant; null if there is none. */
    due(until: Micros): DuePoll | null {
      const first = next.reduce((a, b) => (b.at < a.at ? b : a))
      if (first.at > until) return null
      const due = { at: first.at, poll: first.poll }
      first.at += first.poll.every
      return due
    },
  }
}

/** Queue of payloads under way, delivered when they arrive. */
function createPost() {
  let waiting: RecordedPayload[] = []
  return {
    add(...payloads: readonly RecordedPayload[]): void {
      if (payloads.length === 0) return
      const sorted = waiting.length === 0 || payloads[0]!.received_at >= waiting.at(-1)!.received_at
      waiting.push(...payloads)
      if (!sorted || payloads.length > 1) waiting.sort((a, b) => a.received_at - b.received_at)
    },
    *until(at: Micros): Generator<RecordedPayload> {
      const arrived = waiting.findIndex(({ received_at }) => received_at > at)
      const ready = arrived < 0 ? waiting : waiting.slice(0, arrived)
      waiting = arrived < 0 ? [] : waiting.slice(arrived)
      yield* ready
    },
  }
}

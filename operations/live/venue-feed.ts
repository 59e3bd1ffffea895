import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { type Arrivals, arrivals } from '../../connectors/venues/arrivals.ts'
import type { ReadRange, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../connectors/ws/venue-stream.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { FeedPlan, FeedReading } from './feed-plan.ts'
import { waitFor } from './wait-for.ts'

export type VenueFeedOptions = {
  /** Opens a connection to the venue; the feed closes it. */
  readonly connect: () => VenueConnector
  /** The clock of receipt. */
  readonly now: () => Micros
  readonly plan: FeedPlan
  /** Length of a connection, after which a new one is opened. */
  readonly session_ms: number
  /** Ids of markets at the venue to read alone; null or left out = all. The connection streams what it was opened for. */
  readonly markets?: readonly string[] | null
  readonly signal: AbortSignal
  /** Called for a failure, with the name of the reading that is missing until it succeeds. */
  readonly on_problem: (error: unknown, reading: string) => void
  /** Called for each new connection, with its streams. */
  readonly on_session?: (connector: VenueConnector, streams: readonly VenueStream[]) => void
  /** Called after each completed read, with the name of the reading. */
  readonly on_read?: (reading: string) => void
}

/** Longest wait for the next attempt of a reading that failed: a venue that is back must not be degraded for minutes. */
const RETRY_MS = 30_000

/** Name of the full read at the start of a session. */
const FIRST = 'first'

/**
 * Yields all payloads of one venue until the signal is aborted: sessions of a full read, its streams and repeated reads. Failed reads are
 * retried with growing waits; no failure of the venue ends the feed.
 */
export async function* venueFeed(options: VenueFeedOptions): AsyncGenerator<PayloadItem> {
  const { signal, on_problem } = options
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      yield* session(options)
      backoff.reset()
    } catch (error) {
      if (signal.aborted) return
      on_problem(error, FIRST)
      await waitFor(backoff.next(), signal)
    }
  }
}

async function* session(options: VenueFeedOptions): AsyncGenerator<PayloadItem> {
  const { connect, plan, session_ms, on_session, on_read } = options
  const connector = connect()
  // A timer of this session alone, so that nothing is left when it ends early.
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), session_ms)
  const signal = AbortSignal.any([options.signal, over.signal])
  const streams: VenueStream[] = []
  on_session?.(connector, streams)
  try {
    for (const part of plan.first) yield* connector.read(part, rangeOf(options, plan.first_back), signal)
    on_read?.(FIRST)
    streams.push(...connector.openStreams())
    const close = () => void Promise.all(streams.map((stream) => stream.close()))
    signal.addEventListener('abort', close, { once: true })
    if (signal.aborted) close()
    const all = arrivals(streams)
    for (const reading of plan.readings) all.add(repeated(reading, { connector, streams, all }, options, signal))
    yield* all
  } catch (error) {
    // The end of a session is no failure of the venue.
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    over.abort()
    await connector.close()
  }
}

type Session = { readonly connector: VenueConnector; readonly streams: VenueStream[]; readonly all: Arrivals }

/** A read that fails is left out: the next one comes soon and reaches back to the last that did not. Markets that it shows are followed from then on. */
async function* repeated(
  { parts, every_ms, back }: FeedReading,
  { connector, streams, all }: Session,
  options: VenueFeedOptions,
  signal: AbortSignal,
): AsyncGenerator<PayloadItem> {
  const { on_problem, on_read } = options
  const name = parts.join()
  let wait_ms = every_ms
  let read_at = options.now()
  for (;;) {
    await waitFor(wait_ms, signal)
    if (signal.aborted) return
    const began_at = options.now()
    try {
      const missed = Math.min(began_at - read_at, options.plan.first_back)
      const reach = back === 0 ? 0 : Math.max(back, missed)
      for (const part of parts) yield* connector.read(part, rangeOf(options, reach), signal)
      on_read?.(name)
      read_at = began_at
      wait_ms = every_ms
    } catch (error) {
      if (signal.aborted) return
      on_problem(error, name)
      wait_ms = Math.min(every_ms, RETRY_MS)
    }
    if (signal.aborted) return
    const opened = connector.extendStreams()
    streams.push(...opened)
    for (const stream of opened) all.add(stream)
  }
}

function rangeOf({ now, markets = null }: VenueFeedOptions, back: Micros): ReadRange {
  return { from: now() - back, to: null, ...(markets !== null && { source_market_ids: markets }) }
}

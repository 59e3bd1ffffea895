import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import { arrivals } from '../../connectors/venues/arrivals.ts'
import type { ReadPart, VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { Micros } from '../../primitives/instants.ts'
import { createBackoff } from './backoff.ts'
import { waitFor } from './wait-for.ts'

/** Parts that are read again and again. */
export type FeedReading = {
  readonly parts: readonly ReadPart[]
  readonly every_ms: number
  /** How far back the parts reach. */
  readonly back: Micros
}

export type VenueFeedOptions = {
  /** Opens a connection to the venue; the feed closes it. */
  readonly connect: () => VenueConnector
  /** The clock of receipt. */
  readonly now: () => Micros
  /** What is read at the begin of each session, before the streams are opened: the catalogue first. */
  readonly first: readonly ReadPart[]
  /** How far back the parts of the begin reach. */
  readonly first_back: Micros
  readonly readings: readonly FeedReading[]
  /** After so long a session ends and a new one begins: streams are of the markets that the catalogue showed. */
  readonly session_ms: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

/**
 * Everything that one venue tells, until the signal is aborted: sessions of a full read, its streams and repeated reads. A
 * venue that cannot be read now is asked again with growing waits; nothing that it does ends the feed.
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
      on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}

async function* session(options: VenueFeedOptions): AsyncGenerator<PayloadItem> {
  const { connect, now, first, first_back, readings, session_ms } = options
  const connector = connect()
  // A timer of this session alone, so that nothing is left when it ends early.
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), session_ms)
  const signal = AbortSignal.any([options.signal, over.signal])
  try {
    for (const part of first) yield* connector.read(part, { from: now() - first_back, to: null }, signal)
    const streams = connector.openStreams()
    const close = () => void Promise.all(streams.map((stream) => stream.close()))
    signal.addEventListener('abort', close, { once: true })
    if (signal.aborted) close()
    yield* arrivals([...streams, ...readings.map((reading) => repeated(connector, reading, options, signal))])
  } finally {
    clearTimeout(timer)
    over.abort()
    await connector.close()
  }
}

/** A read that fails is left out: the next one reaches back far enough. */
async function* repeated(
  connector: VenueConnector,
  { parts, every_ms, back }: FeedReading,
  { now, on_problem }: VenueFeedOptions,
  signal: AbortSignal,
): AsyncGenerator<PayloadItem> {
  for (;;) {
    await waitFor(every_ms, signal)
    if (signal.aborted) return
    try {
      for (const part of parts) yield* connector.read(part, { from: now() - back, to: null }, signal)
    } catch (error) {
      if (signal.aborted) return
      on_problem(error)
    }
  }
}

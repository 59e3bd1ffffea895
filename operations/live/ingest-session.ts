import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { importLive } from '../import/import-live.ts'
import type { ImportReport } from '../import/import-report.ts'
import { RoundSession, roundsOf, writtenTogether } from './commit-rounds.ts'
import { FEED_PLANS, type FeedPlan } from './feed-plan.ts'
import { type IngestFacts, openHealthRecorder } from './ingest-health.ts'
import { SessionWatch } from './session-watch.ts'
import { venueFeed } from './venue-feed.ts'
import { waitFor } from './wait-for.ts'

export type IngestSession = { readonly venue_id: PayloadVenue; readonly session_ms: number }

export type IngestPorts = {
  readonly warehouse: Warehouse
  /** Opens a connection to the venue; the session closes it. */
  readonly connect: () => VenueConnector
  /** Ends the session; what has arrived is stored first. */
  readonly signal: AbortSignal
  /** The clock of receipt, in microseconds; that of this machine when left out. */
  readonly now?: () => Micros
  /** The parts to read; the venue's own plan when left out. */
  readonly plan?: FeedPlan
  /** Longest wait of a record in memory before it is committed; of several sessions, that of the first to get one. */
  readonly linger_ms?: number
  /** Receives failures that are retried. */
  readonly on_problem?: (error: unknown) => void
  /** Receives the health of the session about once a second. */
  readonly on_health?: (facts: IngestFacts) => void
}

export type IngestReport = {
  readonly records_new: number
  /** Number of times that messages were missing or a stream was reopened. */
  readonly gaps: number
  readonly quarantined: number
  readonly last_source_at: Instant | null
}

/** Interval between two checks of the session, each with a sign of life. */
const BEAT_MS = 1_000
/** Shortest time between two commits of a table in this process, by which a quote is visible later. Measured in bench/live-latency.bench.ts. */
export const LINGER_MS = 1_000

/**
 * Runs one session of a venue's feed: a full read, its streams and repeated reads, imported as they arrive, until its time is over or the
 * signal is aborted; then everything received is stored. Failures of the venue end nothing: they are retried with growing waits, and the
 * session's health shows them meanwhile.
 * @param heartbeat called about once a second with the report so far
 * @throws {ServiceError} the errors of Warehouse.append; the next session starts over
 */
export async function ingestSession(
  { venue_id, session_ms }: IngestSession,
  ports: IngestPorts,
  heartbeat: (so_far: IngestReport) => void = () => undefined,
): Promise<IngestReport> {
  const { warehouse, connect, now = wallClock, plan = FEED_PLANS[venue_id], linger_ms = LINGER_MS } = ports
  const health = await openHealthRecorder(warehouse, venue_id)
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), session_ms)
  const signal = AbortSignal.any([ports.signal, over.signal])
  const watch = new SessionWatch(now, plan.silence)
  const on_problem = (error: unknown, reading: string) => {
    watch.failed(isServiceError(error) ? error.message : 'internal error', reading)
    ports.on_problem?.(error)
  }
  const items = venueFeed({
    connect,
    now,
    plan,
    session_ms,
    signal,
    on_problem,
    on_session: (connector, streams) => watch.opened(connector, streams),
    on_read: (reading) => watch.read(reading),
  })
  const part = new RoundSession()
  const beating = new AbortController()
  // The facts from before the end: a stream that is closed at the end is no trouble.
  let last = watch.facts()
  const untold = (error: unknown) => ports.on_problem?.(error)
  const beat = (async () => {
    while (!beating.signal.aborted) {
      heartbeat(reportOf(watch.facts()))
      if (!signal.aborted) {
        last = watch.facts()
        ports.on_health?.(last)
        await health.record(last).catch(untold)
      }
      await waitFor(BEAT_MS, beating.signal)
    }
  })()
  try {
    const on_stored = (report: ImportReport) => {
      part.leave()
      watch.stored(report)
    }
    const tick = () => roundsOf(warehouse).tick(part, linger_ms)
    const writing = writtenTogether(warehouse, venue_id, part)
    const importing = { archive: venue_id, clock: 'wall', warehouse: writing, repeated: 'quotes_confirm' } as const
    watch.stored(await importLive({ ...importing, items, tick, on_stored }))
    return reportOf(watch.facts())
  } finally {
    clearTimeout(timer)
    part.end()
    over.abort()
    beating.abort()
    await beat
    await health.end({ ...watch.facts(), state: last.state, problem: last.problem }).catch(untold)
  }
}

function reportOf({ records_new, gaps, quarantined, last_source_at }: IngestFacts): IngestReport {
  return {
    records_new,
    gaps,
    quarantined,
    last_source_at: last_source_at === null ? null : formatMicros(last_source_at),
  }
}

import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/** `degraded`: part of the data is missing; `down`: nothing arrives. */
export type IngestState = 'ok' | 'degraded' | 'down'

/** Signs of a venue's ingest at an instant. */
export type IngestSigns = {
  readonly now: Micros
  /** When this session began. */
  readonly started_at: Micros
  /** The venue's last sign of life: an answer, a message, a heartbeat; null = none in this session. */
  readonly confirmed_at: Micros | null
  /** Streams that there should be, and those that are open. */
  readonly streams: number
  readonly streams_open: number
  /** The last read that failed, and the last one that did not. */
  readonly failed_at: Micros | null
  readonly read_at: Micros | null
  /** When messages were last missing, or could not be used. */
  readonly gap_at: Micros | null
  readonly quarantined_at: Micros | null
}

/** Time for which a gap or an unusable record counts: books may be unknown after a gap, and unusable records may keep arriving. */
const SHOWS: Micros = 30 * MICROS_PER_SECOND

/** Returns why the state is not `ok` as far as the connections show it; null: they show nothing. Pure. */
export function ingestTrouble(signs: IngestSigns, silence: Micros): string | null {
  const { now, started_at, confirmed_at, streams, streams_open } = signs
  const heard_at = Math.max(confirmed_at ?? 0, started_at)
  if (now - heard_at > silence) return `no sign of life since ${formatMicros(heard_at)}`
  if (confirmed_at === null) return 'no sign of life yet'
  if (streams_open < streams) return `${streams - streams_open} of ${streams} streams are closed`
  return signs.gap_at !== null && now - signs.gap_at < SHOWS ? 'messages were missing' : null
}

/** Returns the state of a venue's ingest. A new session may be without data for as long as a silent one is tolerated. Pure. */
export function ingestState(signs: IngestSigns, silence: Micros): IngestState {
  const { now, started_at, confirmed_at, streams, streams_open, failed_at, read_at } = signs
  if (now - Math.max(confirmed_at ?? 0, started_at) > silence) return 'down'
  if (failed_at !== null && failed_at > (read_at ?? 0)) return confirmed_at === null ? 'down' : 'degraded'
  if (confirmed_at === null) return 'degraded'
  if (streams_open < streams) return 'degraded'
  const trouble_at = Math.max(signs.gap_at ?? 0, signs.quarantined_at ?? 0)
  return now - trouble_at < SHOWS ? 'degraded' : 'ok'
}

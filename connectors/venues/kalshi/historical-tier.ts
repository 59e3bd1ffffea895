import { objectOf } from '../../../pipelines/text/json-text.ts'
import { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import { cutoffOf, type HistoricalCutoff } from '../../../pipelines/venues/kalshi/historical-cutoff.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { PayloadItem } from '../../archives/payloads/payload-item.ts'
import type { VenueHttpClient } from '../../http/venue-http-client.ts'
import { fetchDocument } from '../fetch-document.ts'
import type { ReadRange } from '../venue-connector.ts'
import { tieredRange } from './ranges.ts'

/** Age up to which a cutoff needs no refresh. */
const FRESH: Micros = 600 * MICROS_PER_SECOND
/** Age up to which a cutoff suffices for instants far from it. */
const KEEP: Micros = MICROS_PER_DAY
/** Data newer than the cutoff by more than this does not become historical within a day. */
const MARGIN: Micros = 2 * MICROS_PER_DAY

export type Tier = 'historical' | 'live'

/** Start of the venue's live endpoints. The cutoff moves forward, also while a range is read. */
export type HistoricalTier = {
  /** null: not read yet, or not stated by the venue. */
  readonly cutoff: HistoricalCutoff | null
  /** Reads the cutoff. */
  read(signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Reads the cutoff unless the known one is recent enough for a range that begins at `from`. */
  refresh(from: Micros, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /**
   * Reads a range of trades from both tiers without gaps: if the cutoff moved meanwhile, the part that left the live tier is
   * read again below `/historical`.
   */
  trades(
    range: ReadRange,
    tape: (tier: Tier, range: ReadRange) => AsyncGenerator<PayloadItem>,
    signal?: AbortSignal,
  ): AsyncGenerator<PayloadItem>
}

/** Creates a tier with an unknown cutoff. @param now microseconds since 1970 */
export function createHistoricalTier(client: VenueHttpClient, now: () => Micros): HistoricalTier {
  let cutoff: HistoricalCutoff | null = null
  let read_at: Micros | null = null
  async function* read(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const fetched = yield* fetchDocument(client, KALSHI.historical_cutoff, '/historical/cutoff', signal)
    const parsed = fetched.kind === 'read' ? parseRecord(() => cutoffOf(objectOf(fetched.document))) : null
    if (parsed !== null && 'record' in parsed) cutoff = parsed.record
    else if (fetched.kind !== 'none') return // an unreadable answer says nothing: the next range asks again
    read_at = now()
  }
  async function* refresh(from: Micros, signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const begins = Math.max(cutoff?.market_settled_at ?? 0, cutoff?.trades_created_at ?? 0)
    const age = read_at === null ? Number.POSITIVE_INFINITY : now() - read_at
    if (age >= (from < begins + MARGIN ? FRESH : KEEP)) yield* read(signal)
  }
  return {
    get cutoff() {
      return cutoff
    },
    read,
    refresh,
    async *trades(range, tape, signal) {
      yield* refresh(range.from, signal)
      for (let rest: ReadRange | null = range; rest !== null; ) {
        const at: Micros | null = cutoff?.trades_created_at ?? null
        const { historical, live }: ReturnType<typeof tieredRange> = tieredRange(rest, at)
        if (historical !== null) yield* tape('historical', historical)
        if (live !== null) yield* tape('live', live)
        rest = null
        if (live === null || at === null || live.from >= at + MARGIN) continue
        yield* read(signal)
        const moved = cutoff?.trades_created_at ?? at
        if (moved > live.from) rest = { ...live, to: Math.min(moved, live.to ?? moved) }
      }
    },
  }
}

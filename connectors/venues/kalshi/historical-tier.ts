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

/** A cutoff that was read so lately is the one to go by. */
const FRESH: Micros = 600 * MICROS_PER_SECOND
/** One that is older than that is not even good for what lies far from it. */
const KEEP: Micros = MICROS_PER_DAY
/** What is younger than the cutoff by more than this does not become historical within a day. */
const MARGIN: Micros = 2 * MICROS_PER_DAY

export type Tier = 'historical' | 'live'

/** Where the venue's live endpoints begin. The cutoff moves forward, also while a range is read. */
export type HistoricalTier = {
  /** null: not read yet, or the venue does not say. */
  readonly cutoff: HistoricalCutoff | null
  /** Reads the cutoff. */
  read(signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /** Reads the cutoff unless that was done lately enough for what begins at an instant. */
  refresh(from: Micros, signal?: AbortSignal): AsyncGenerator<PayloadItem>
  /**
   * A range of trades from both tiers, nothing of it left out: where the cutoff has moved meanwhile, what left the live tier is
   * read once more below `/historical`.
   */
  trades(
    range: ReadRange,
    tape: (tier: Tier, range: ReadRange) => AsyncGenerator<PayloadItem>,
    signal?: AbortSignal,
  ): AsyncGenerator<PayloadItem>
}

/** @param now microseconds since 1970 */
export function createHistoricalTier(client: VenueHttpClient, now: () => Micros): HistoricalTier {
  let cutoff: HistoricalCutoff | null = null
  let read_at: Micros | null = null
  async function* read(signal?: AbortSignal): AsyncGenerator<PayloadItem> {
    const fetched = yield* fetchDocument(client, KALSHI.historical_cutoff, '/historical/cutoff', signal)
    read_at = now()
    if (fetched.kind !== 'read') return
    const parsed = parseRecord(() => cutoffOf(objectOf(fetched.document)))
    if ('record' in parsed) cutoff = parsed.record
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

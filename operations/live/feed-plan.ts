import type { ReadPart } from '../../connectors/venues/venue-connector.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/** Parts that are read again and again. */
export type FeedReading = {
  readonly parts: readonly ReadPart[]
  readonly every_ms: number
  /** Time that the parts reach back. */
  readonly back: Micros
}

/** Parts of a venue that are read beside its streams, and how often. */
export type FeedPlan = {
  /** Parts read at the start, before the streams are opened: the catalogue first. */
  readonly first: readonly ReadPart[]
  /** Time that the first parts reach back. */
  readonly first_back: Micros
  readonly readings: readonly FeedReading[]
  /** Time without a sign of life after which the venue counts as down; streams send three heartbeats in it. */
  readonly silence: Micros
}

const MINUTE_MS = 60_000
const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** Longer outages are left to a backfill. */
const FIRST_BACK: Micros = 120 * MINUTE

const STREAM_SILENCE: Micros = 45 * MICROS_PER_SECOND
/** A feed is silent between its readings: it is down when two of them brought nothing. */
const FEED_SILENCE: Micros = 150 * MICROS_PER_SECOND

const WHOLE: Omit<FeedPlan, 'readings'> = {
  first: ['catalogue', 'markets', 'trades', 'resolutions'],
  first_back: FIRST_BACK,
  silence: STREAM_SILENCE,
}
const FEED: FeedPlan = {
  first: ['catalogue'],
  first_back: 0,
  readings: [{ parts: ['catalogue'], every_ms: MINUTE_MS, back: 0 }],
  silence: FEED_SILENCE,
}
const NOTHING: FeedPlan = { first: [], first_back: 0, readings: [], silence: STREAM_SILENCE }

/** Polymarket's stream does not prove that a quiet book stands, so it is read. Manifold streams bets; probabilities must be polled. New markets appear in the lists that are read repeatedly. */
export const FEED_PLANS: Readonly<Record<PayloadVenue, FeedPlan>> = {
  polymarket: {
    ...WHOLE,
    readings: [
      { parts: ['quiet_books'], every_ms: 10_000, back: 0 },
      { parts: ['markets'], every_ms: 10 * MINUTE_MS, back: 0 },
      { parts: ['trades', 'resolutions'], every_ms: 5 * MINUTE_MS, back: 15 * MINUTE },
    ],
  },
  kalshi: {
    ...WHOLE,
    readings: [
      { parts: ['markets'], every_ms: 10 * MINUTE_MS, back: 0 },
      { parts: ['trades'], every_ms: 5 * MINUTE_MS, back: 15 * MINUTE },
    ],
  },
  manifold: {
    ...WHOLE,
    readings: [
      { parts: ['markets'], every_ms: 20_000, back: 0 },
      { parts: ['catalogue', 'trades'], every_ms: 10 * MINUTE_MS, back: 15 * MINUTE },
    ],
  },
  usgs: FEED,
  gdacs: FEED,
  // Recorded archives alone: what they show may not be served, and nobody follows them.
  predictit: NOTHING,
  betfair: NOTHING,
}

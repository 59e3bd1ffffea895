import type { VenuePayload, VenueReader } from '../../pipelines/venues/record.ts'
import { VENUE_READERS } from '../../pipelines/venues/venue-readers.ts'
import { toMicros } from '../../primitives/instants.ts'
import { recordVenue } from '../../simulator/files/record-venue.ts'
import { createSimulatedVenue } from '../../simulator/simulated-venue.ts'
import { planWorld } from '../../simulator/world/plan.ts'
import { naiveKalshi } from './naive/kalshi.ts'
import { naiveManifold } from './naive/manifold.ts'
import { naivePolymarket } from './naive/polymarket.ts'
import type { NaiveReader } from './naive/reader.ts'

/** Payloads of one kind, and their readers. */
export type ParseKind = {
  readonly name: string
  /** Payloads that a reader must have seen first, such as references and whole books. Not measured. */
  readonly before: readonly VenuePayload[]
  readonly payloads: readonly VenuePayload[]
  readonly createReader: () => VenueReader
  readonly createNaive: () => NaiveReader
}

/** Characters read by one timed block, so that it lasts long enough to measure. */
const BLOCK_CHARS = 3_000_000
const START = toMicros('2026-01-01T00:00:00Z')

type Venue = 'polymarket' | 'kalshi' | 'manifold'

const NAIVE: Readonly<Record<Venue, () => NaiveReader>> = {
  polymarket: naivePolymarket,
  kalshi: naiveKalshi,
  manifold: naiveManifold,
}

/** Per kind, the payloads that are timed, and those before the first of them that the reader needs. */
const KINDS: readonly {
  readonly venue: Venue
  readonly name: string
  readonly timed: RegExp
  readonly before: RegExp
}[] = [
  {
    venue: 'polymarket',
    name: 'ws_price_change',
    timed: /^ws.*"price_change"|^ws.*"event_type":"book"/,
    before: /^GET \/markets /,
  },
  { venue: 'polymarket', name: 'clob_book', timed: /^GET \/book /, before: /^GET \/markets / },
  { venue: 'kalshi', name: 'ws_orderbook_delta', timed: /^ws orderbook/, before: /^$/ },
  { venue: 'kalshi', name: 'ws_ticker', timed: /^ws ticker.*"type":"ticker"/, before: /^$/ },
  { venue: 'kalshi', name: 'rest_orderbook', timed: /^GET \/markets\/{ticker}\/orderbook /, before: /^$/ },
  { venue: 'manifold', name: 'market_probs', timed: /^GET \/v0\/market-probs /, before: /^$/ },
  { venue: 'manifold', name: 'ws_new_bet', timed: /^ws .*"type":"broadcast"/, before: /^$/ },
]

/** Returns the kinds with payloads of a simulated day of each venue. */
export function parseKinds(): ParseKind[] {
  const days = new Map<Venue, VenuePayload[]>()
  return KINDS.map(({ venue, name, timed, before }) => {
    const day = days.get(venue) ?? simulatedDay(venue)
    days.set(venue, day)
    const is = (kind: RegExp) => (payload: VenuePayload) => kind.test(`${payload.endpoint} ${payload.text}`)
    return {
      name: `${venue}.${name}`,
      before: day.filter(is(before)),
      payloads: repeated(day.filter(is(timed)), name),
      createReader: () => VENUE_READERS[venue].create_reader(Number.MAX_SAFE_INTEGER),
      createNaive: NAIVE[venue],
    }
  })
}

function simulatedDay(venue_id: Venue): VenuePayload[] {
  const plan = planWorld({ seed: 'parse', start: START, days: 1, markets: 5, interval: 20_000_000 })
  const { world, wire } = createSimulatedVenue(plan, venue_id)
  return [...recordVenue(world, wire)].map(({ endpoint, request, received_at, body }) => ({
    venue_id,
    endpoint,
    request,
    received_at,
    file: `${venue_id}.jsonl`,
    // A flat string as read from a file, not a rope of concatenated parts.
    text: Buffer.from(body).toString(),
  }))
}

/** Repeats the payloads until they fill a block; changes of a book only once, as each builds on the one before. */
function repeated(payloads: readonly VenuePayload[], name: string): VenuePayload[] {
  if (name === 'ws_price_change' || name === 'ws_orderbook_delta') return [...payloads]
  const chars = payloads.reduce((sum, { text }) => sum + text.length, 0)
  return Array.from({ length: Math.ceil(BLOCK_CHARS / chars) }, () => payloads).flat()
}

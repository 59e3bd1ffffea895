import { eventStatusOf } from '../../pipelines/market/reference-facts.ts'
import { ownEventId } from '../../pipelines/venues/own-listing.ts'
import { slugOf } from '../../pipelines/venues/slug.ts'
import { SCALE } from '../../primitives/decimal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import { hasEnded } from '../../trading/public-market/fold-events.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowOrNull, rowsOf, textsOf } from '../resources/pick.ts'
import type { RouteRequest } from '../server/handler.ts'
import { type OwnState, ownEventAheadRow, ownMarketAheadRow } from './own-records.ts'
import type { OwnVenue } from './own-venue.ts'

/**
 * Reference records of a catalogue, completed by the state of the markets listed here. One of those is known from its listing on,
 * also while the warehouse has not stored it; records of other venues stay as they are.
 */
export type OwnStates = {
  readonly market: (catalog: Catalog, market_id: string) => Row | null
  readonly markets: (catalog: Catalog) => readonly Row[]
  readonly event: (catalog: Catalog, event_id: string) => Row | null
  readonly events: (catalog: Catalog) => readonly Row[]
}

/** The markets listed here that are known at one instant. */
type Known = {
  readonly state: (market_id: string) => OwnState | null
  readonly market_ids: () => readonly string[]
  readonly listing: OwnVenue['listing']
}

const NONE: Known = { state: () => null, market_ids: () => [], listing: () => null }

/**
 * Returns the state of our own markets at the instant of a request: the engine's, which the warehouse gets slightly later. The
 * answer is a promise for a past instant, and while a market has moved since the instant that a current answer is of.
 */
function ownStatesOf({ own_venue = null, as_of, now, cursor }: RouteRequest): OwnStates | Promise<OwnStates> {
  const at = cursor?.as_of ?? as_of
  if (own_venue === null) return statesBy(NONE)
  const { listing } = own_venue
  const is_ahead = at === null && own_venue.markets().some(({ revised_at }) => revised_at > now)
  if (at === null && !is_ahead) {
    const market_ids = () => own_venue.markets().map(({ market_id }) => market_id)
    return statesBy({ state: own_venue.market, market_ids, listing })
  }
  return own_venue.statesAt(at ?? now).then((states) => {
    const state = (market_id: string) => states.get(market_id) ?? null
    return statesBy({ state, market_ids: () => [...states.keys()], listing })
  })
}

/** Calls a route with the state of our own markets. */
export function withOwnStates<T>(request: RouteRequest, answer: (states: OwnStates) => T | Promise<T>): T | Promise<T> {
  const states = ownStatesOf(request)
  return states instanceof Promise ? states.then(answer) : answer(states)
}

function statesBy(known: Known): OwnStates {
  const stored = (row: Row) => marketRow(row, known.state(String(row.market_id)))
  const ahead = (catalog: Catalog, market_id: string) => aheadRow(catalog, known, market_id)
  const event = (row: Row) => eventRow(row, known.state)
  return {
    market(catalog, market_id) {
      const row = catalog.market(market_id)
      return row === null ? ahead(catalog, market_id) : stored(row)
    },
    markets(catalog) {
      const absent = known.market_ids().filter((market_id) => catalog.market(market_id) === null)
      const listed = absent.map((market_id) => ahead(catalog, market_id)).filter((row) => row !== null)
      return [...catalog.markets().map(stored), ...listed]
    },
    event(catalog, event_id) {
      const named = ownEventAheadRow(catalog.event(event_id), listingsByEvent(known).get(event_id) ?? [])
      return named === null ? null : event(named)
    },
    events(catalog) {
      const listed = listingsByEvent(known)
      const rows = catalog.events()
      const stored_ids = new Set(rows.map(({ event_id }) => String(event_id)))
      const named = rows.map((row) => ownEventAheadRow(row, listed.get(String(row.event_id)) ?? [])!)
      const absent = [...listed].filter(([event_id]) => !stored_ids.has(event_id))
      return [...named, ...absent.map(([, listings]) => ownEventAheadRow(null, listings)!)].map(event)
    },
  }
}

function aheadRow(catalog: Catalog, { state, listing }: Known, market_id: string): Row | null {
  const [listed, now] = [listing(market_id), state(market_id)]
  return listed === null || now === null ? null : ownMarketAheadRow(listed, now, catalog)
}

/** Groups the known markets by their event, in the order of their listing. */
function listingsByEvent({ market_ids, listing }: Known): ReadonlyMap<string, readonly PublicMarketRead[]> {
  const listed = market_ids().flatMap((market_id) => listing(market_id) ?? [])
  const groups = new Map<string, PublicMarketRead[]>()
  for (const one of listed.sort((a, b) => a.created_at - b.created_at)) {
    const event_id = ownEventId(one)
    groups.set(event_id, [...(groups.get(event_id) ?? []), one])
  }
  return groups
}

function marketRow(row: Row, state: OwnState | null): Row {
  if (rowOrNull(row.venue_mapping)?.venue_id !== OWN_VENUE) return row
  const listed = { ...row, slug: row.slug ?? slugOf(String(row.title)) }
  return state === null ? listed : { ...listed, ...revisionOf(row, state) }
}

/** Fraction digits of a payout in market_resolution; engine events have the digits that the operator wrote. */
const PAYOUT_SCALE = SCALE.observed_value

/** The newest revision of the market, as the warehouse will store it, published with the engine's batch. */
function revisionOf({ outcomes }: Row, state: OwnState): Row {
  const at = formatMicros(state.revised_at)
  const payoutOf = (id: unknown) => {
    const paid = state.payouts.find(({ outcome_id }) => outcome_id === id)
    return paid === undefined ? null : fromScaled(toScaled(paid.payout, PAYOUT_SCALE), PAYOUT_SCALE)
  }
  const shown = rowsOf(outcomes).map((outcome) => {
    return { ...outcome, payout_value: hasEnded(state) ? payoutOf(outcome.outcome_id) : null }
  })
  const { status, complementary } = state
  return { status, complementary, outcomes: shown, updated_at: at, source_at: at, published_at: at }
}

/** An event of our own markets alone ends with the last of them; another venue states the status of its own events. */
function eventRow(row: Row, stateOf: Known['state']): Row {
  const venues = rowsOf(row.source_mappings).map(({ venue_id }) => venue_id)
  if (!venues.includes(OWN_VENUE) || venues.some((venue_id) => venue_id !== OWN_VENUE)) return row
  const states = textsOf(row.market_ids).map(stateOf)
  const is_known = states.length > 0 && states.every((state) => state !== null)
  const status = is_known
    ? eventStatusOf(
        null,
        states.map((state) => state!.status),
      )
    : row.status
  return { ...row, slug: row.slug ?? slugOf(String(row.title)), status }
}

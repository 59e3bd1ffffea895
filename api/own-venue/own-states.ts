import { eventStatusOf } from '../../pipelines/market/reference-facts.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { hasEnded } from '../../trading/public-market/fold-events.ts'
import { slugOf } from '../../trading/public-market/listing-texts.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowOrNull, rowsOf, textsOf } from '../resources/pick.ts'
import type { RouteRequest } from '../server/handler.ts'

/** Status of a market, with its date and payouts, by the engine's events. */
type OwnState = Pick<PublicMarket, 'status' | 'revised_at' | 'payouts'>

/** Completes reference records by the state of the markets listed here; records of other venues stay as they are. */
export type OwnStates = {
  readonly market: (row: Row) => Row
  readonly event: (row: Row) => Row
}

/**
 * Returns the state of our own markets at the instant of a request: the engine's, which the warehouse gets slightly later. The
 * answer is a promise for a past instant, and while a market has moved since the instant that a current answer is of.
 */
function ownStatesOf({ own_venue = null, as_of, now, cursor }: RouteRequest): OwnStates | Promise<OwnStates> {
  const at = cursor?.as_of ?? as_of
  if (own_venue === null) return statesBy(() => null)
  const is_ahead = at === null && own_venue.markets().some(({ revised_at }) => revised_at > now)
  if (at === null && !is_ahead) return statesBy((market_id) => own_venue.market(market_id))
  return own_venue.statesAt(at ?? now).then((states) => statesBy((market_id) => states.get(market_id) ?? null))
}

/** Calls a route with the state of our own markets. */
export function withOwnStates<T>(request: RouteRequest, answer: (states: OwnStates) => T | Promise<T>): T | Promise<T> {
  const states = ownStatesOf(request)
  return states instanceof Promise ? states.then(answer) : answer(states)
}

function statesBy(stateOf: (market_id: string) => OwnState | null): OwnStates {
  return {
    market: (row) => marketRow(row, stateOf(String(row.market_id))),
    event: (row) => eventRow(row, stateOf),
  }
}

function marketRow(row: Row, state: OwnState | null): Row {
  if (rowOrNull(row.venue_mapping)?.venue_id !== OWN_VENUE) return row
  const listed = { ...row, slug: row.slug ?? slugOf(String(row.title)) }
  return state === null ? listed : { ...listed, ...revisionOf(row, state) }
}

/** The newest revision of the market, as the warehouse will store it, published with the engine's batch. */
function revisionOf({ outcomes }: Row, state: OwnState): Row {
  const at = formatMicros(state.revised_at)
  const payoutOf = (id: unknown) => state.payouts.find(({ outcome_id }) => outcome_id === id)?.payout ?? null
  const shown = rowsOf(outcomes).map((outcome) => {
    return { ...outcome, payout_value: hasEnded(state) ? payoutOf(outcome.outcome_id) : null }
  })
  return { status: state.status, outcomes: shown, updated_at: at, source_at: at, published_at: at }
}

/** An event of our own markets alone ends with the last of them; another venue states the status of its own events. */
function eventRow(row: Row, stateOf: (market_id: string) => OwnState | null): Row {
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

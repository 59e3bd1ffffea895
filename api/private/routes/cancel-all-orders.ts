import type { CancelAllRequest } from '../../../protocol/requests/order-request.ts'
import type { Refusal } from '../../../trading/engine/submission.ts'
import { cancelFilter } from '../../../trading/order/cancel-filter.ts'
import { LIVE_VENUES, OWN_VENUE } from '../../../vocabulary/venue.ts'
import { missing } from '../../missing-resource.ts'
import { rowOrNull } from '../../resources/pick.ts'
import { marketsInForce } from '../../routes/indexes.ts'
import { RequestRefusal, violation } from '../../server/request-refusal.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import type { PrivateAnswer, PrivateRequest } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'

/**
 * Cancels the orders that pass every filter. An index or a venue is resolved to its markets here, and the engine receives those, so
 * that its record shows which markets were meant. An index stands for the markets of its version in force.
 */
export async function cancelAllOrders(request: PrivateRequest): Promise<PrivateAnswer> {
  const { account_id, client_cancel_id = null, reason = null, ...filters } = request.body as CancelAllRequest
  const refusal = refusedAccount(request.caller, account_id)
  if (refusal !== null) return refusedReference(refusal)
  const market_ids = await marketsOf(request, filters)
  if (isRefusal(market_ids)) return refusedReference(market_ids)
  return submit(request, {
    kind: 'cancel_all',
    identity: identityOf(request),
    ...cancelFilter(market_ids, filters),
    client_cancel_id,
    reason,
    scope: { account_id, ...filters },
  })
}

type Filters = Omit<CancelAllRequest, 'account_id' | 'client_cancel_id' | 'reason'>

/** Resolves the filters to market ids; null: all markets. */
async function marketsOf(request: PrivateRequest, filters: Filters): Promise<readonly string[] | null | Refusal> {
  const { market_id, index_id, venue_id } = filters
  if (market_id !== undefined && !(await request.trading.reads.hasMarket(market_id)))
    return missing('traded_market', market_id)
  if (venue_id !== undefined && venue_id !== OWN_VENUE) checkVenue(request, venue_id)
  const of_index = index_id === undefined ? null : marketsOfIndex(request, index_id)
  if (of_index === undefined) return missing('index', index_id!)
  const chosen = [
    market_id === undefined ? null : [market_id],
    of_index,
    venue_id === undefined || venue_id === OWN_VENUE ? null : [],
  ].filter((markets) => markets !== null)
  if (chosen.length === 0) return null
  return chosen.reduce((left, right) => left.filter((id) => right.includes(id)))
}

/** Refuses a venue that nobody knows: a misspelt one would cancel nothing. @throws {RequestRefusal} VALIDATION_BODY_INVALID */
function checkVenue({ reader }: PrivateRequest, venue_id: string): void {
  const listed = reader.catalog(null).markets()
  const known = new Set([
    OWN_VENUE,
    ...LIVE_VENUES,
    ...listed.map((row) => String(rowOrNull(row.venue_mapping)?.venue_id)),
  ])
  if (known.has(venue_id)) return
  const allowed = `allowed: ${[...known].sort().join(', ')}`
  throw new RequestRefusal([violation('VALIDATION_BODY_INVALID', 'venue_id', venue_id, allowed)])
}

/** Returns the markets of the version in force; undefined: unknown index. */
function marketsOfIndex({ reader }: PrivateRequest, index_id: string): readonly string[] | undefined {
  const catalog = reader.catalog(null)
  const index = catalog.index(index_id)
  return index === null ? undefined : [...marketsInForce(index, catalog)]
}

function isRefusal(value: readonly string[] | null | Refusal): value is Refusal {
  return value !== null && 'code' in value
}

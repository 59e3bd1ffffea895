import { invariant } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { PAGE_SIZE } from '../../../protocol/limits.ts'
import { accountPolicyResource } from '../../../trading/projections/account-policy.ts'
import { balanceResource } from '../../../trading/projections/balance.ts'
import { positionResource } from '../../../trading/projections/position.ts'
import { redemptionPreview } from '../../../trading/projections/redemption-preview.ts'
import type { PositionRead } from '../../../trading/store/read/trading-reads.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { partOf, shownPage, textOrNull } from './parameters.ts'
import { settledAsOf } from './settled-as-of.ts'

export const ACCOUNT_READ_ROUTES = {
  list_positions: listPositions,
  get_market_positions: getMarketPositions,
  list_balances: listBalances,
  get_account_policy: getAccountPolicy,
  get_redemption_preview: getRedemptionPreview,
} as const satisfies Partial<PrivateHandlers>

/** Lists positions. Later pages are as of the first page's batch: a position that changes meanwhile is neither skipped nor repeated. */
async function listPositions(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, cursor, parameters } = request
  const filters = {
    market_id: textOrNull(request, 'market_id'),
    outcome_id: textOrNull(request, 'outcome_id'),
    nonzero_only: parameters.nonzero_only === true,
    settlement_state: textOrNull(request, 'settlement_state'),
  }
  const asked = await settledAsOf(request)
  const as_of = cursor?.as_of ?? asked
  const page = await trading.reads.positions(caller.account_id, filters, as_of, partOf(request))
  const shown_as_of = as_of ?? page.head.at
  const answer = shownPage(request, page, {
    keyOf: ({ market_id, outcome_id }) => [market_id, outcome_id],
    recordOf: positionAt(shown_as_of),
    as_of: shown_as_of,
  })
  return { ...answer, head: page.head }
}

async function getMarketPositions(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const market_id = request.parameters.market_id as string
  if (!(await trading.reads.hasMarket(market_id))) throw missing('traded_market', market_id)
  const as_of = await settledAsOf(request)
  const filters = { market_id, outcome_id: null, nonzero_only: false, settlement_state: null }
  const all = { after: null, limit: PAGE_SIZE.max }
  const { head, rows } = await trading.reads.positions(caller.account_id, filters, as_of, all)
  return shown(rows.map(positionAt(as_of ?? head.at)), { head })
}

function positionAt(as_of: Micros) {
  return (row: PositionRead) => {
    const { market_terms: terms, mark, mark_observation_id, pending_settlement_ids } = row
    return positionResource(row, { terms, mark, mark_observation_id, pending_settlement_ids, as_of })
  }
}

async function listBalances(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const as_of = await settledAsOf(request)
  const { head, rows } = await trading.reads.balances(caller.account_id, textOrNull(request, 'asset_id'), as_of)
  const balances = rows.map((row) => balanceResource(row, { asset_scale: row.asset_scale, as_of: as_of ?? head.at }))
  return shown(balances, { head })
}

async function getAccountPolicy({ trading, caller }: PrivateRequest): Promise<PrivateAnswer> {
  const account = await trading.reads.account(caller.account_id)
  invariant(account !== null, `the account ${caller.account_id} of a key is known`)
  return shown(accountPolicyResource(account))
}

async function getRedemptionPreview({ trading, caller, parameters }: PrivateRequest): Promise<PrivateAnswer> {
  const market_id = parameters.market_id as string
  const read = await trading.reads.redemption(caller.account_id, market_id)
  if (read === null) throw missing('traded_market', market_id)
  return shown(redemptionPreview(read.facts, read.head.at), { head: read.head })
}

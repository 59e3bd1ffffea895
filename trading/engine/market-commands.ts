import type { MarketStatus } from '../../vocabulary/market.ts'
import { poolAccountId } from '../ledger/entries.ts'
import { feeSchedule } from '../ledger/fees.ts'
import { marketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import { openHouseAccount } from './account-commands.ts'
import type { AddMarket, MoveMarket } from './commands.ts'
import type { Execution } from './execution.ts'
import { useSchedule } from './fee-commands.ts'
import { enterStatus, MARKET_MOVES, publishMarket } from './market-status.ts'
import { addOutcome, houseBalance, type Market } from './state.ts'

/** Lists a market, which is scheduled until it is opened. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function addMarket(execution: Execution, command: AddMarket): void {
  const { market_id, outcome_ids, actor, reason, terms, listing = null } = command
  const { state, now } = execution
  if (state.markets.has(market_id)) refuse('market_id', market_id, 'an id that is not listed yet')
  checkOutcomes(execution, outcome_ids)
  const asset = state.assets.get(terms.settlement_asset_id)
  if (asset === undefined) refuse('settlement_asset_id', terms.settlement_asset_id, 'an asset that is known')
  const { schedule_id, schedule_version, ...rates } = command.fees
  const measured = marketTerms(terms, asset.scale)
  if (measured.complementary && outcome_ids.length !== 2) {
    refuse('outcome_ids', outcome_ids.join(), 'two outcomes, because the market is complementary')
  }
  const market: Market = {
    market_id,
    terms: measured,
    listed: { terms, listing },
    outcomes: new Map(),
    orders: new Set(),
    created_at: now,
    updated_at: now,
    status: 'scheduled',
    fees: useSchedule(execution, feeSchedule(schedule_id, schedule_version, rates)),
    clearing: houseBalance(state, 'clearing', asset.asset_id),
    fee_income: houseBalance(state, 'fees', asset.asset_id),
    unpaid: null,
  }
  const labels = listing?.outcome_labels ?? {}
  const unpriced = { mark: null, mark_observation_id: null, payout: null }
  for (const outcome_id of outcome_ids)
    addOutcome(market, { outcome_id, label: labels[outcome_id] ?? outcome_id, ...unpriced })
  state.markets.set(market_id, market)
  if (measured.complementary) openHouseAccount(execution, poolAccountId(market_id))
  publishMarket(execution, market, { actor, reason })
}

/** States that only a resolution enters or leaves. */
const BY_RESOLUTION: readonly MarketStatus[] = ['resolving', 'resolved', 'voided']

/**
 * Moves a market for an operator or a workflow. Resolution commands decide its end; it is archived once all its payouts are made.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID where the move is not in the table, or is a resolution's
 */
export function moveMarket(execution: Execution, { market_id, to, actor, reason }: MoveMarket): void {
  const market = execution.state.markets.get(market_id)
  if (market === undefined) refuse('market_id', market_id, 'a listed market')
  const allowed = MARKET_MOVES[market.status].filter(
    (status) => market.status !== 'resolving' && !BY_RESOLUTION.includes(status),
  )
  if (!allowed.includes(to)) {
    const by_resolution = 'by a resolution alone: propose_resolution, decide_dispute, finalize_resolution'
    if (MARKET_MOVES[market.status].includes(to)) refuse('status', to, by_resolution)
    const ends = MARKET_MOVES[market.status].length > 0 ? ', and a resolution alone moves it on' : ''
    refuse('status', to, allowed.join(', ') || `nothing: the market is ${market.status}${ends}`)
  }
  if (to === 'archived') checkPaid(market)
  enterStatus(execution, market, to, { actor, reason })
}

function checkPaid({ outcomes }: Market): void {
  for (const { outcome_id, positions } of outcomes.values()) {
    const left = positions.find(({ net_quantity, open_settlements }) => net_quantity !== 0 || open_settlements > 0)
    if (left === undefined) continue
    refuse('status', 'archived', `a market whose positions are all paid; ${left.account_id} has one in ${outcome_id}`)
  }
}

function checkOutcomes({ state }: Execution, outcome_ids: readonly string[]): void {
  if (outcome_ids.length < 2) refuse('outcome_ids', outcome_ids.join(), 'at least two outcomes')
  const seen = new Set<string>()
  const listed = (id: string) => [...state.markets.values()].some(({ outcomes }) => outcomes.has(id))
  for (const outcome_id of outcome_ids) {
    if (seen.has(outcome_id) || listed(outcome_id)) refuse('outcome_id', outcome_id, 'an id that is not listed yet')
    seen.add(outcome_id)
  }
}

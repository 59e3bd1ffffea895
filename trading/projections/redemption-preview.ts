import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { minus, plus } from '../../primitives/safe-integers.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { RedemptionPreview } from '../../protocol/resources/redemption-preview.ts'
import { equalShares, payoutScale, payoutUnits, redemptionOf } from '../engine/payouts.ts'
import type { OutcomePayout } from '../engine/settlement-commands.ts'
import { AVERAGE_SCALE, realizedBy } from '../ledger/position.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { PositionRow } from './rows.ts'

/** Market that could resolve, with its outcomes in order. */
export type RedeemedMarket = {
  readonly market_id: string
  readonly status: string
  readonly terms: MarketTerms
  readonly outcome_ids: readonly string[]
}

/** Holding of one outcome, as far as a payout reads it. */
type RedeemedPosition = Pick<PositionRow, 'outcome_id' | 'net_quantity' | 'average_entry_price' | 'requirement'> & {
  readonly pending_settlement_ids: readonly string[]
}

/** Facts of an account in one market at one instant. */
export type RedemptionFacts = {
  readonly account_id: string
  readonly market: RedeemedMarket
  readonly positions: readonly RedeemedPosition[]
  /** Number of working orders; `order_ids` are the newest of them. */
  readonly open_orders: { readonly count: number; readonly order_ids: readonly string[] }
}

/**
 * Returns what an account would get under each outcome of a market and if it were void: its working orders canceled, and each holding
 * closed at its payout by the rule of a real payout, without a fee.
 */
export function redemptionPreview(facts: RedemptionFacts, as_of: Micros): RedemptionPreview {
  const { account_id, market, positions, open_orders } = facts
  const { terms, outcome_ids } = market
  const money = (amount: number) => fromScaled(BigInt(amount), terms.asset_scale)
  const freed = positions.reduce((sum, { requirement }) => plus(sum, requirement), 0)
  return {
    account_id,
    market_id: market.market_id,
    market_status: market.status,
    asset_id: terms.settlement_asset_id,
    open_order_count: open_orders.count,
    open_order_ids: [...open_orders.order_ids],
    collateral_freed: money(freed),
    pending_settlement_ids: positions.flatMap(({ pending_settlement_ids }) => pending_settlement_ids),
    results: [
      ...outcome_ids.map((winner) => resultOf(facts, freed, 'resolved', winner, winningPayouts(outcome_ids, winner))),
      resultOf(facts, freed, 'voided', null, voidPayouts(terms, outcome_ids)),
    ],
    as_of: formatMicros(as_of),
  }
}

type Result = RedemptionPreview['results'][number]

function winningPayouts(outcome_ids: readonly string[], winner: string): readonly OutcomePayout[] {
  return outcome_ids.map((outcome_id) => ({ outcome_id, payout: outcome_id === winner ? '1' : '0' }))
}

/** Returns the payouts of a void; null: equal shares are not exact, so whoever voids the market names its payouts. */
function voidPayouts(terms: MarketTerms, outcome_ids: readonly string[]): readonly OutcomePayout[] | null {
  try {
    return equalShares(terms, outcome_ids)
  } catch (error) {
    if (isServiceError(error, 'VALIDATION_USAGE_INVALID')) return null
    throw error
  }
}

function resultOf(
  { market: { terms }, positions }: RedemptionFacts,
  freed: number,
  verdict: Result['verdict'],
  outcome_id: string | null,
  payouts: readonly OutcomePayout[] | null,
): Result {
  const payout_rule = verdict === 'voided' ? 'equal_shares' : 'winner'
  if (payouts === null) {
    const unknown = { payout: null, realized_pnl: null, available_change: null, holdings: [] }
    return { verdict, outcome_id, payout_rule, ...unknown, fee: null, reason: 'PAYOUTS_NOT_EXACT' }
  }
  const paid_at = new Map(payouts.map((payout) => [payout.outcome_id, payout]))
  const money = (amount: number) => fromScaled(BigInt(amount), terms.asset_scale)
  const held = positions.filter(({ net_quantity }) => net_quantity !== 0)
  const closed = held.map((position) => closedAt(position, terms, paid_at.get(position.outcome_id)!))
  const payout = closed.reduce((sum, { amount }) => plus(sum, amount), 0)
  const realized = closed.reduce((sum, position) => plus(sum, position.realized), 0)
  return {
    verdict,
    outcome_id,
    payout_rule,
    payout: money(payout),
    fee: money(0),
    realized_pnl: money(realized),
    available_change: money(plus(freed, payout)),
    reason: null,
    holdings: closed.map(({ position, price, amount, realized: realized_pnl }) => ({
      outcome_id: position.outcome_id,
      net_quantity: fromScaled(BigInt(position.net_quantity), terms.quantity_scale),
      average_entry_price:
        position.average_entry_price === null ? null : fromScaled(BigInt(position.average_entry_price), AVERAGE_SCALE),
      payout_per_contract: fromScaled(BigInt(price), payoutScale(terms)),
      payout: money(amount),
      realized_pnl: money(realized_pnl),
    })),
  }
}

/** Closes a holding at a payout; of a short the amount is what buying it back costs, below zero. */
function closedAt(position: RedeemedPosition, terms: MarketTerms, payout: OutcomePayout) {
  const units = payoutUnits(terms, payout)
  const { side, quantity, amount, price } = redemptionOf(terms, position.net_quantity, units)
  const realized = realizedBy({ ...position, terms }, price, quantity)
  return { position, price: units, amount: side === 'SELL' ? amount : minus(0, amount), realized }
}

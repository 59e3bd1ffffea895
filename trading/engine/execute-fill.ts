import { HOUSE, type Line } from '../ledger/entries.ts'
import { chargeFee } from '../ledger/fees.ts'
import { addRemaining, takeFill, uncoveredPart } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import { notional } from '../market/market-terms.ts'
import { feeBase, type LiquidityRole, type Order } from '../order/order.ts'
import type { Execution } from './execution.ts'
import type { Outcome } from './state.ts'
import { reservationLines } from './working-orders.ts'

/** What a fill does to one side. */
type SideOfFill = {
  readonly fee: number
  readonly uncovered_quantity: number
  readonly short_credit: number
  readonly lines: readonly Line[]
}

/**
 * One match: both orders, positions and reservations, one transaction of the ledger, and the records of the trade and of each
 * side's fill. Money moves when the settlement of a side is confirmed; until then it is a pending debit or credit.
 * The caller takes `quantity` off the maker's price level.
 */
export function executeFill(
  execution: Execution,
  outcome: Outcome,
  taker: Order,
  maker: Order,
  quantity: number,
): void {
  const price = maker.limit_price
  const { market, outcome_id } = outcome
  const trade_id = `trd_${execution.state.engine_sequence + 1}`
  const facts = { trade_id, market_id: market.market_id, outcome_id, price, quantity }
  execution.tell({ kind: 'trade', ...facts, aggressor_side: taker.side })
  const took = fillSide(taker, 'taker', price, quantity)
  const made = fillSide(maker, 'maker', price, quantity)
  execution.book('fill', trade_id, [...took.lines, ...made.lines])
  for (const [order, role, side] of [
    [taker, 'taker', took],
    [maker, 'maker', made],
  ] as const) {
    const place = execution.state.engine_sequence + 1
    execution.touchOrder(order)
    execution.touchPosition(order.position)
    execution.tell({
      kind: 'fill',
      ...facts,
      fill_id: `fill_${place}`,
      settlement_id: `stl_${place}`,
      order_id: order.order_id,
      account_id: order.account_id,
      side: order.side,
      liquidity_role: role,
      notional: notional(order.terms, price, quantity),
      fee: side.fee,
      uncovered_quantity: side.uncovered_quantity,
      short_credit: side.short_credit,
    })
  }
}

function fillSide(order: Order, role: LiquidityRole, price: number, quantity: number): SideOfFill {
  return order.side === 'BUY' ? fillBuy(order, role, price, quantity) : fillSell(order, role, price, quantity)
}

function fillBuy(order: Order, role: LiquidityRole, price: number, quantity: number): SideOfFill {
  const fee = chargeFee(order.reserve_fees, order.fees, role, feeBase(order.terms, price, quantity))
  const cost = notional(order.terms, price, quantity) + fee
  const rise = takeQuantity(order, price, quantity, 0)
  const [available, reserved] = reservationLines(order, rise)
  const { account_id, outcome_id, terms } = order
  const lines: Line[] = [
    { ...available!, amount: available!.amount - cost },
    reserved!,
    { account_id, asset_id: terms.settlement_asset_id, bucket: 'pending_debit', amount: cost },
    { account_id, asset_id: outcome_id, bucket: 'unsettled', amount: quantity },
  ]
  return { fee, uncovered_quantity: 0, short_credit: 0, lines }
}

/**
 * A sale of held quantity pays its fee from the proceeds, a sale beyond holdings from what was reserved; so their fees are counted
 * apart, and what was set aside always suffices.
 */
function fillSell(order: Order, role: LiquidityRole, price: number, quantity: number): SideOfFill {
  const { account_id, outcome_id, terms, fees, position } = order
  const uncovered_quantity = uncoveredPart(position, quantity)
  const covered = quantity - uncovered_quantity
  const reserve_fee =
    uncovered_quantity === 0 ? 0 : chargeFee(order.reserve_fees, fees, role, feeBase(terms, price, uncovered_quantity))
  const proceeds_fee = covered === 0 ? 0 : chargeFee(order.proceeds_fees, fees, role, feeBase(terms, price, covered))
  const fee = reserve_fee + proceeds_fee
  const short_credit = notional(terms, price, uncovered_quantity) - reserve_fee
  const proceeds = notional(order.terms, price, quantity) - fee
  const rise = takeQuantity(order, price, quantity, short_credit)
  const asset_id = terms.settlement_asset_id
  const lines: Line[] = [
    ...reservationLines(order, rise),
    { account_id, asset_id, bucket: 'pending_credit', amount: proceeds },
    { account_id: HOUSE.clearing, asset_id, bucket: 'pending_credit', amount: -proceeds },
    { account_id, asset_id: outcome_id, bucket: 'unsettled', amount: -quantity },
  ]
  return { fee, uncovered_quantity, short_credit, lines }
}

/** @returns by how much the account's requirement rose; it falls as a rule */
function takeQuantity(order: Order, price: number, quantity: number, short_credit: number): number {
  const { position } = order
  addRemaining(order, -quantity)
  order.filled_quantity += quantity
  order.filled_notional += notional(order.terms, price, quantity)
  takeFill(position, order.side, price, quantity)
  position.pending_short_credit += short_credit
  const rise = refreshRequirement(position, order)
  // A purchase may cover SELLs that were not, or end a short.
  return order.side === 'BUY' && position.sells.orders.size > 0 ? rise + refreshRequirement(position, null) : rise
}

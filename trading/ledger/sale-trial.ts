import type { LiquidityRole } from '../../vocabulary/order.ts'
import { notional } from '../market/market-terms.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order, Position } from '../order/order.ts'
import { chargeFee, feeBase } from './fees.ts'
import { uncoveredPart, workingOrders } from './position.ts'
import { type Holding, type SellTerms, saleRequirement } from './requirement.ts'

type TriedSell = SellTerms & { readonly order: Order }

/**
 * Working SELLs of one position, on which sales are tried before they are booked. A sale of held quantity takes the cover of older
 * SELLs, which then reserve money at the fees of their own acceptance; after a change of fees this can be more than the sale
 * releases.
 */
export class SaleTrial {
  #available: number
  #holding: Holding
  #sells: readonly TriedSell[]
  #requirement: number

  /** @param available the account's available money in the settlement asset */
  constructor(position: Position, available: number) {
    this.#available = available
    this.#holding = position
    this.#sells = Array.from(workingOrders(position.sells), (order) => {
      const { limit_price, remaining_quantity, reserve_fees, fees, terms } = order
      return { order, limit_price, remaining_quantity, reserve_fees, fees, terms }
    })
    this.#requirement = saleRequirement(position, this.#sells)
  }

  /** Adds money that the end of another order of the account releases. */
  release(amount: number): void {
    this.#available += amount
  }

  /** Tries a sale. @returns whether the account can pay for it; if not, nothing has changed */
  sell(order: Order, role: LiquidityRole, price: number, quantity: number): boolean {
    const { net_quantity, pending_short_credit, terms } = this.#holding
    const uncovered = uncoveredPart(this.#holding, quantity)
    let short_credit = 0
    const sells = this.#sells.map((sell) => {
      if (sell.order !== order) return sell
      const reserve_fees = { ...sell.reserve_fees }
      const base = feeBase(terms, price, uncovered)
      const fee = uncovered === 0 ? 0 : chargeFee(reserve_fees, sell.fees, role, base)
      short_credit = notional(terms, price, uncovered) - fee
      return { ...sell, reserve_fees, remaining_quantity: sell.remaining_quantity - quantity }
    })
    const holding = {
      terms,
      net_quantity: net_quantity - quantity,
      pending_short_credit: pending_short_credit + short_credit,
    }
    if (!this.#take(holding, sells)) return false
    this.#cutReduceOnly()
    return true
  }

  /** Removes an order that ends. */
  end(order: Order): void {
    this.#take(
      this.#holding,
      this.#sells.filter((sell) => sell.order !== order),
    )
  }

  /** @returns false: the account cannot pay for it, and nothing has changed */
  #take(holding: Holding, sells: readonly TriedSell[]): boolean {
    const requirement = saleRequirement(holding, sells)
    const available = this.#available + this.#requirement - requirement
    if (available < 0) return false
    this.#available = available
    this.#requirement = requirement
    this.#holding = holding
    this.#sells = sells
    return true
  }

  /** Ends resting reduce_only orders as the book does after the sale. */
  #cutReduceOnly(): void {
    const resting = this.#sells.filter(({ order }) => order.reduce_only && order.slot !== NONE)
    let excess = resting.reduce((sum, { remaining_quantity }) => sum + remaining_quantity, 0)
    excess -= Math.max(this.#holding.net_quantity, 0)
    for (const { order, remaining_quantity } of resting.reverse()) {
      if (excess <= 0) return
      excess -= remaining_quantity
      this.end(order)
    }
  }
}

import type { Micros } from '../../primitives/instants.ts'
import { availableOf } from '../ledger/balance.ts'
import { isEnding } from '../ledger/cover.ts'
import { SaleTrial } from '../ledger/sale-trial.ts'
import type { Permit, Trial } from '../matching/taker.ts'
import type { Order, Position } from '../order/order.ts'
import { type Allowance, ANY_QUANTITY, allowanceOf, isSpent, lessFill, type Protection } from '../order/protection.ts'
import type { Execution } from './execution.ts'
import type { Outcome } from './state.ts'

/**
 * Whether both accounts can pay for a match. Only a seller can lack money: its sale may uncover older SELLs that were accepted
 * under other fees. With the same fees, the better price of the sale releases at least what they need. In a complementary market the
 * best price is covered first, so that no fill uncovers an order.
 */
export function permitMatch(taker: Order, maker: Order, quantity: number): Permit {
  if (taker.terms.complementary) return 'books'
  const seller = taker.side === 'SELL' ? taker : maker
  if (!mayUncover(seller)) return 'books'
  const trial = new SaleTrial(seller.position, availableOf(seller.position.money))
  return permitSale(trial, seller, maker, quantity)
}

/** Permits the matches of a taker that is only tried. @param unbooked what the enrolled taker requires and nothing has booked yet */
export class TriedMatches implements Trial {
  readonly #now: Micros
  readonly #outcome: Outcome
  readonly #taker: Order
  readonly #unbooked: number
  /** null: no sale of this account can fail. */
  readonly #trials = new Map<Position, SaleTrial | null>()
  readonly #allowances = new Map<Protection, Allowance>()

  constructor({ now }: Pick<Execution, 'now'>, outcome: Outcome, taker: Order, unbooked: number) {
    this.#now = now
    this.#outcome = outcome
    this.#taker = taker
    this.#unbooked = unbooked
  }

  isEnding(slot: number): boolean {
    const order = this.#outcome.resting[slot]!
    if (!isEnding(order, this.#now)) return false
    this.#release(order)
    if (order.side === 'SELL') this.#trialOf(order.position)?.end(order)
    return true
  }

  permits(slot: number, quantity: number): Permit {
    const maker = this.#outcome.resting[slot]!
    const seller = this.#taker.side === 'SELL' ? this.#taker : maker
    const trial = this.#trialOf(seller.position)
    const permit = trial === null ? 'books' : permitSale(trial, seller, maker, quantity)
    if (permit === 'maker_ends') trial!.end(maker)
    if (permit === 'books') this.#count(maker, quantity)
    return permit
  }

  allowance(slot: number): number {
    const { protection } = this.#outcome.resting[slot]!.position
    if (protection === null) return ANY_QUANTITY
    const allowance = this.#allowanceOf(protection)
    return isSpent(allowance) ? 0 : allowance.quantity
  }

  #count({ position: { protection } }: Order, quantity: number): void {
    if (protection !== null) this.#allowances.set(protection, lessFill(this.#allowanceOf(protection), quantity))
  }

  #allowanceOf(protection: Protection): Allowance {
    return this.#allowances.get(protection) ?? allowanceOf(protection, this.#now)
  }

  prevented(slot: number, _quantity: number): void {
    this.#release(this.restingAt(slot))
  }

  /** Returns the order that rests in a slot. */
  protected restingAt(slot: number): Order {
    return this.#outcome.resting[slot]!
  }

  #release({ side, position, reserved_amount }: Order): void {
    if (side === 'BUY') this.#trialOf(position)?.release(reserved_amount)
  }

  #trialOf(position: Position): SaleTrial | null {
    if (position.terms.complementary) return null
    const known = this.#trials.get(position)
    if (known !== undefined) return known
    const unbooked = position === this.#taker.position ? this.#unbooked : 0
    const newest = position.sells.newest
    const is_doubtful = newest !== null && position.net_quantity > 0 && hasOtherFees(newest)
    const made = is_doubtful ? new SaleTrial(position, availableOf(position.money) - unbooked) : null
    this.#trials.set(position, made)
    return made
  }
}

function permitSale(trial: SaleTrial, seller: Order, maker: Order, quantity: number): Permit {
  if (trial.sell(seller, seller === maker ? 'maker' : 'taker', maker.limit_price, quantity)) return 'books'
  return seller === maker ? 'maker_ends' : 'taker_ends'
}

function mayUncover(seller: Order): boolean {
  return seller.older !== null && seller.position.net_quantity > 0 && hasOtherFees(seller)
}

/** Whether an older SELL of the position was accepted under other fees. */
function hasOtherFees({ fees, older }: Order): boolean {
  for (let order = older; order !== null; order = order.older) if (order.fees !== fees) return true
  return false
}

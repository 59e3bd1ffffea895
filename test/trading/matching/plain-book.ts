import type { Ending, Taker } from '../../../trading/matching/taker.ts'

export type PlainOrder = Omit<Taker, 'position'> & {
  readonly id: number
  readonly position: { readonly holder: number }
}
type Resting = { readonly order: PlainOrder; left: number }

/** The least net quantity that a sale may lead to where a seller cannot pay for more; stands for the money of a real account. */
export const NET_MIN = -45

/** The rules of matching over one array, found anew at each step: what the real book must do. A FOK is tried on a copy of everything. */
export class PlainBook {
  resting: Resting[] = []
  readonly nets: number[]
  readonly told: string[] = []

  constructor(nets: readonly number[]) {
    this.nets = [...nets]
  }

  execute(order: PlainOrder): Ending {
    if (order.intent.time_in_force === 'FOK') {
      const trial = this.#copy()
      if (trial.#match(order) !== 0) return 'unfillable'
    }
    const left = this.#match(order)
    if (left === 0) return 'filled'
    if (left < 0) return left === -1 ? 'prevented' : 'unbookable'
    if (order.intent.time_in_force === 'FAK') return 'unfilled'
    this.resting.push({ order, left })
    return 'rests'
  }

  cancel(id: number): boolean {
    const before = this.resting.length
    this.resting = this.resting.filter(({ order }) => order.id !== id)
    return this.resting.length < before
  }

  /** Ids with what is left of each, best price first, then oldest. */
  side(side: PlainOrder['side']): Resting[] {
    const sign = side === 'BUY' ? -1 : 1
    const own = this.resting.filter(({ order }) => order.side === side)
    return own.sort((a, b) => sign * (a.order.limit_price - b.order.limit_price) || a.order.id - b.order.id)
  }

  wouldTake({ side, limit_price }: Pick<PlainOrder, 'side' | 'limit_price'>): boolean {
    const best = this.side(side === 'BUY' ? 'SELL' : 'BUY')[0]?.order.limit_price
    return best !== undefined && (side === 'BUY' ? best <= limit_price : best >= limit_price)
  }

  #match(taker: PlainOrder): number {
    let left = taker.remaining_quantity
    while (left > 0 && this.wouldTake(taker)) {
      const maker = this.side(taker.side === 'BUY' ? 'SELL' : 'BUY')[0]!
      const quantity = Math.min(left, maker.left)
      if (maker.order.position.holder === taker.position.holder) {
        const mode = taker.intent.self_trade_prevention
        this.told.push(`${taker.id} meets ${maker.order.id} for ${quantity}`)
        if (mode !== 'cancel_taker') this.cancel(maker.order.id)
        if (mode !== 'cancel_maker') return -1
        continue
      }
      const seller = taker.side === 'SELL' ? taker : maker.order
      if (this.nets[seller.position.holder]! - quantity < NET_MIN) {
        if (seller === taker) return -2
        this.cancel(maker.order.id)
        this.told.push(`${maker.order.id} cannot be paid for`)
        continue
      }
      left -= quantity
      maker.left -= quantity
      if (maker.left === 0) this.cancel(maker.order.id)
      this.told.push(`${taker.id} takes ${quantity} of ${maker.order.id}, which has ${maker.left}`)
      const bought = taker.side === 'BUY' ? quantity : -quantity
      this.nets[taker.position.holder]! += bought
      this.nets[maker.order.position.holder]! -= bought
      for (const { holder } of [maker.order.position, taker.position]) this.#cut(holder)
    }
    return left
  }

  #cut(holder: number): void {
    for (const side of ['BUY', 'SELL'] as const) {
      const room = Math.max((side === 'BUY' ? -1 : 1) * this.nets[holder]!, 0)
      const mine = this.resting.filter(
        ({ order }) => order.position.holder === holder && order.side === side && order.reduce_only,
      )
      let sum = mine.reduce((total, { left }) => total + left, 0)
      for (const { order, left } of mine.reverse()) {
        if (sum <= room) break
        sum -= left
        this.cancel(order.id)
        this.told.push(`${order.id} could no longer only reduce`)
      }
    }
  }

  #copy(): PlainBook {
    const copy = new PlainBook(this.nets)
    copy.resting = this.resting.map((each) => ({ ...each }))
    return copy
  }
}

import type { SlowLadder } from './slow-ladder.ts'
import { type LadderFill, type LadderOrder, openPrice } from './slow-ladder-records.ts'
import { max, min, roundUp, UNIT, WORKING } from './slow-records.ts'

/** Returns what one side of the ladder closes: a bid closes NO, an ask YES. */
export function closable(core: SlowLadder, account_id: string, bids: boolean): bigint {
  const x = core.exposure(account_id)
  return max(bids ? -x : x, 0n)
}

/** Returns the working orders of an account's side that share its cover: best price first, then oldest. */
export function coverQueue(core: SlowLadder, account_id: string, bids: boolean): LadderOrder[] {
  return core
    .working(account_id)
    .filter((order) => order.bids === bids && !order.held)
    .sort((a, b) => (a.tick === b.tick ? a.age - b.age : a.tick > b.tick === bids ? -1 : 1))
}

/** Returns the holding that is left for an order after those ahead of it in the queue. */
export function leftFor(core: SlowLadder, order: LadderOrder): bigint {
  const { account_id } = order.intent
  let left = order.held ? 0n : closable(core, account_id, order.bids)
  for (const other of coverQueue(core, account_id, order.bids)) {
    if (other === order) break
    left = max(left - other.remaining, 0n)
  }
  return left
}

/** Returns the part of an order that closes. */
export function coverOf(core: SlowLadder, order: LadderOrder): bigint {
  return min(leftFor(core, order), order.remaining)
}

/** Returns the reservation of an order: what it opens at its limit, and the worst fees of that. */
export function ladderReserved(core: SlowLadder, order: LadderOrder): bigint {
  if (!WORKING.includes(order.status)) return 0n
  const opens = order.remaining - coverOf(core, order)
  if (opens === 0n) return 0n
  const price = openPrice(order.bids, order.tick)
  return price * opens * UNIT + buffer(core, order, price, opens)
}

function buffer(core: SlowLadder, order: LadderOrder, price: bigint, opens: bigint): bigint {
  const mine = core.fills.filter((fill) => fill.order === order)
  const charged = mine.reduce((sum, fill) => sum + fill.opening_fee, 0n)
  const rate = max(order.taker_rate, order.maker_rate)
  return roundUp(exactFees(mine, 'opening') + rate * min(price, 50n) * opens * UNIT) - charged
}

/** Sum of rate x min(p, 1 - p) x quantity of the opening, or of the closing parts. */
export function exactFees(fills: readonly LadderFill[], part: 'opening' | 'closing'): bigint {
  return fills.reduce((sum, { order, maker, tick, quantity, closed }) => {
    const counted = part === 'closing' ? closed : quantity - closed
    return sum + (maker ? order.maker_rate : order.taker_rate) * min(tick, 100n - tick) * counted * UNIT
  }, 0n)
}

/** Whether an account could exceed its position limit on either side of the ladder. */
export function exceedsLimit(core: SlowLadder, account_id: string): boolean {
  const x = core.exposure(account_id)
  const open = (bids: boolean) =>
    core.working(account_id).reduce((sum, order) => (order.bids === bids ? sum + order.remaining : sum), 0n)
  const { limit } = core.rules
  return limit !== null && max(x + open(true), open(false) - x) > limit
}

/** Trims the resting orders of an account that may only reduce to their cover, after its exposure changed. */
export function trimOrders(core: SlowLadder, account_id: string, taker: LadderOrder | null): void {
  for (const bids of [true, false]) {
    for (const order of coverQueue(core, account_id, bids)) {
      const cover = coverOf(core, order)
      if (order === taker || !order.reduces || cover === order.remaining) continue
      order.trimmed += order.remaining - cover
      order.remaining = cover
      if (cover === 0n) core.end(order, 'canceled', order.status === 'suspended' ? 'RISK_ACTION' : 'REDUCE_ONLY')
    }
  }
}

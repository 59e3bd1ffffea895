import type { SlowLadder } from './slow-ladder.ts'
import { exactFees, ladderReserved } from './slow-ladder-cover.ts'
import { LADDER_HOUSE, type LadderFill, NO, openPrice, YES } from './slow-ladder-records.ts'
import { min, roundHalfEven, UNIT } from './slow-records.ts'

/** One contract of one unit, in cents. */
const WHOLE = 100n

/** Returns what a side of a match pays for what it opens, and gets for what it closes. */
export function moneyOf({ order, tick, quantity, closed, opening_fee, closing_fee }: LadderFill) {
  const price = openPrice(order.bids, tick)
  const paid = price * (quantity - closed) * UNIT
  const got = (WHOLE - price) * closed * UNIT
  return { paid, got, debit: closed < quantity ? paid + opening_fee : 0n, credit: closed > 0n ? got - closing_fee : 0n }
}

/** Fees of a new fill after those of its order before it. */
export function feesOf(before: readonly LadderFill[], fill: LadderFill) {
  const fee = (part: 'opening' | 'closing') =>
    roundHalfEven(exactFees([...before, fill], part)) - roundHalfEven(exactFees(before, part))
  const [opening_fee, closing_fee] = [fee('opening'), fee('closing')]
  return { opening_fee, closing_fee, fee: opening_fee + closing_fee }
}

/** total, reserved, pending debit, pending credit of an account. */
export function ladderBalance(core: SlowLadder, account_id: string) {
  let [total, debit, credit] = [core.deposits.get(account_id) ?? 0n, 0n, 0n]
  for (const fill of core.fills) {
    if (fill.busted || fill.order.intent.account_id !== account_id) continue
    const money = moneyOf(fill)
    if (fill.state === 'confirmed') total += money.credit - money.debit
    else [debit, credit] = [debit + money.debit, credit + money.credit]
  }
  total += exchangedBy(core, account_id)
  for (const paid of core.payments) {
    if (paid.account_id !== account_id) continue
    if (paid.state === 'confirmed') total += paid.amount
    else if (paid.amount < 0n) debit -= paid.amount
    else credit += paid.amount
  }
  const reserved = core.working(account_id).reduce((sum, order) => sum + ladderReserved(core, order), 0n)
  return { total, reserved, debit, credit }
}

/** Returns what a holder has of an outcome. A side that was undone is the house's; `settled`: what is confirmed of it. */
export function holdingOf(core: SlowLadder, account_id: string, outcome_id: string, settled = false): bigint {
  let held = 0n
  for (const { order, quantity, closed, busted, state } of core.fills) {
    if ((busted ? LADDER_HOUSE : order.intent.account_id) !== account_id) continue
    if (settled && !busted && state !== 'confirmed') continue
    if (outcome_id === (order.bids ? YES : NO)) held += quantity - closed
    else held -= closed
  }
  for (const { account_id: of, quantity } of core.exchanges) if (of === account_id) held -= quantity
  for (const paid of core.payments) {
    const counts = paid.account_id === account_id && paid.outcome_id === outcome_id
    if (counts && (!settled || paid.state === 'confirmed')) held -= paid.net
  }
  return held
}

/** Money and sets of the pool. Confirmed is what its own records have moved. */
export function ladderPool(core: SlowLadder) {
  const sum = (sets: readonly { quantity: bigint }[]) => sets.reduce((all, { quantity }) => all + quantity, 0n)
  const exchanged = sum(core.exchanges)
  const confirmed = core.sets.filter(({ state }) => state === 'confirmed')
  const pending = core.sets.filter(({ state }) => state !== 'confirmed')
  const paid = core.payments.reduce((all, { pool }) => all + pool, 0n)
  return {
    sets: sum(core.sets) - exchanged,
    cash: (sum(core.sets) - exchanged) * WHOLE * UNIT - paid,
    total: (sum(confirmed) - exchanged) * WHOLE * UNIT - paid,
    credit: sum(pending.filter(({ quantity }) => quantity > 0n)) * WHOLE * UNIT,
    debit: -sum(pending.filter(({ quantity }) => quantity < 0n)) * WHOLE * UNIT,
  }
}

/** Money that the house has in the market: of sides that it took over, sets that it exchanged, and payouts less corrections. */
export function ladderHouse(core: SlowLadder): bigint {
  const taken = core.fills.filter(({ busted }) => busted).map(moneyOf)
  const traded = taken.reduce((sum, { got, paid }) => sum + got - paid, 0n)
  // It gets what the pool pays, and pays everybody else.
  const paid = core.payments.reduce((sum, { account_id, amount, pool }) => {
    return account_id === LADDER_HOUSE ? sum + pool : sum + pool - amount
  }, 0n)
  return traded + exchangedBy(core, LADDER_HOUSE) + paid - core.lent
}

/** Money of the house's own account: what it advanced, and its payouts as they are confirmed. Sets that it exchanges are cleared. */
export function ladderReceivable(core: SlowLadder) {
  const { total, debit, credit } = ladderBalance(core, LADDER_HOUSE)
  return { total: total - exchangedBy(core, LADDER_HOUSE) - core.lent, debit, credit }
}

/** Money that a holder got for sets. */
function exchangedBy({ exchanges }: SlowLadder, account_id: string): bigint {
  const mine = exchanges.filter((exchange) => exchange.account_id === account_id)
  return mine.reduce((sum, { quantity }) => sum + quantity, 0n) * WHOLE * UNIT
}

/** Average entry price at 10 decimals and profit of an account's holdings, by going through its trades from the first. */
export function ladderProfit(core: SlowLadder, account_id: string) {
  let [x, average] = [0n, 0n]
  const realized = { [YES]: 0n, [NO]: 0n }
  for (const { bids, price, quantity } of core.trades.filter((trade) => trade.account_id === account_id)) {
    const held = bids === x < 0n ? (x < 0n ? -x : x) : 0n
    const closed = min(held, quantity)
    const exit = (bids ? 10_000n - price : price) * 1_000_000n
    if (closed > 0n) realized[bids ? NO : YES] += halfEven(closed * (exit - average), 1_000_000n)
    const opened = quantity - closed
    const kept = closed > 0n ? 0n : x < 0n ? -x : x
    const entry = (bids ? price : 10_000n - price) * 1_000_000n
    if (opened > 0n) average = halfEven(average * kept + entry * opened, kept + opened)
    x += bids ? quantity : -quantity
    if (x === 0n) average = 0n
  }
  // A correction of a payout changes what it earned.
  const corrections = core.payments.filter((paid) => paid.account_id === account_id && paid.net === 0n)
  for (const { outcome_id, amount } of corrections) realized[outcome_id === YES ? YES : NO] += amount
  return { x, average, realized }
}

/** Rounds n / d to the nearest, half to even, also below 0. */
export function halfEven(n: bigint, d: bigint): bigint {
  if (n < 0n) return -halfEven(-n, d)
  const [quotient, rest] = [n / d, (n % d) * 2n]
  return rest > d || (rest === d && quotient % 2n === 1n) ? quotient + 1n : quotient
}

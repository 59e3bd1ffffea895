import type { SlowCore } from './slow-core.ts'
import { max, min, roundUp, type SlowOrder, UNIT, WORKING } from './slow-records.ts'
import { SLOW_OUTCOMES } from './slow-settlement.ts'

/** Returns the money that the slow core has reserved of an account: for its working orders and its short positions. */
export function slowReserved(core: SlowCore, account_id: string): bigint {
  let sum = 0n
  for (const order of core.working(account_id)) sum += reservedFor(core, order)
  for (const outcome_id of SLOW_OUTCOMES) {
    const net = core.net(account_id, outcome_id)
    if (net < 0n) sum += max(-net * 100n * UNIT - core.shortCredit(account_id, outcome_id), 0n)
  }
  return sum
}

/** Returns the reservation of a working order: a SELL reserves for the quantity beyond holdings, which older SELLs use first. */
export function reservedFor(core: SlowCore, order: SlowOrder): bigint {
  const { price, remaining, intent } = order
  if (!WORKING.includes(order.status)) return 0n
  if (intent.side === 'BUY') return price * remaining * UNIT + buffer(core, order, price, remaining)
  const older = core
    .working(intent.account_id)
    .filter(
      (other) => other.age < order.age && other.intent.outcome_id === intent.outcome_id && other.intent.side === 'SELL',
    )
  const taken = older.reduce((sum, other) => sum + other.remaining, 0n)
  const covered = max(max(core.net(intent.account_id, intent.outcome_id), 0n) - taken, 0n)
  const uncovered = max(remaining - covered, 0n)
  return uncovered === 0n ? 0n : (100n - price) * uncovered * UNIT + buffer(core, order, 100n - price, uncovered)
}

/** Returns the rest of the reservation's worst-case fees after the fees already paid. */
function buffer(core: SlowCore, order: SlowOrder, bound: bigint, quantity: bigint): bigint {
  const mine = core.fills.filter((fill) => fill.order === order)
  const [paid, exact] = [mine.reduce((sum, fill) => sum + fill.reserve_fee, 0n), core.exactFees(mine, true)]
  const rate = max(order.taker_rate, order.maker_rate)
  return roundUp(exact + rate * min(bound, 50n) * quantity * UNIT) - paid
}

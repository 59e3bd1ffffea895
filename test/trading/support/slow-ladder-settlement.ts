import type { SlowLadder } from './slow-ladder.ts'
import { LADDER_HOUSE, NO, YES } from './slow-ladder-records.ts'
import { SLOW_OUTCOMES, type SlowResolution } from './slow-settlement.ts'

/** Returns the number of settlements of the market that no rail has confirmed, and no adjustment has ended. */
export function ladderOpen({ fills, sets }: SlowLadder): number {
  return [...fills.filter(({ busted }) => !busted), ...sets].filter(({ state }) => state !== 'confirmed').length
}

/** Returns the trades of an account that no rail has confirmed: both outcomes of the account wait for them. */
export function ladderOpenOf({ fills }: SlowLadder, account_id: string): number {
  return fills.filter(({ busted, state, order }) => {
    return !busted && state !== 'confirmed' && order.intent.account_id === account_id
  }).length
}

/** Returns whether a resolution has paid an account. */
export function ladderPaid({ payments }: SlowLadder, account_id: string): boolean {
  return payments.some((paid) => paid.account_id === account_id)
}

/**
 * Pays a resolution from the pool, the house too, once every settlement of the market is confirmed. Differences to what earlier
 * revisions paid come first, and are the house's.
 */
export function ladderPay(
  core: SlowLadder,
  accounts: readonly string[],
  { revision, payouts }: SlowResolution,
): number {
  let paid = 0
  for (const account_id of accounts) {
    for (const outcome_id of SLOW_OUTCOMES) paid += payDifference(core, account_id, outcome_id, payouts, revision)
  }
  if (ladderOpen(core) > 0) return paid
  for (const account_id of [...accounts, LADDER_HOUSE]) {
    for (const outcome_id of SLOW_OUTCOMES) {
      const net = core.net(account_id, outcome_id)
      if (net === 0n) continue
      const amount = payouts[outcome_id]! * net
      const is_house = account_id === LADDER_HOUSE
      core.payments.push({
        account_id,
        outcome_id,
        net,
        amount,
        revision,
        pool: amount,
        state: is_house ? 'confirmed' : 'pending',
      })
      closeAt(core, account_id, outcome_id, payouts[YES]!, net)
      if (is_house) core.house_paid += amount
      else paid += 1
    }
  }
  return paid
}

function payDifference(
  core: SlowLadder,
  account_id: string,
  outcome_id: string,
  payouts: SlowResolution['payouts'],
  revision: number,
): number {
  const before = core.payments.filter((paid) => paid.account_id === account_id && paid.outcome_id === outcome_id)
  if (before.length === 0 || before.some((payment) => payment.revision === revision)) return 0
  const sum = (field: 'net' | 'amount') => before.reduce((total, payment) => total + payment[field], 0n)
  const amount = payouts[outcome_id]! * sum('net') - sum('amount')
  core.payments.push({
    account_id,
    outcome_id,
    net: 0n,
    amount,
    revision,
    pool: 0n,
    state: amount === 0n ? 'confirmed' : 'pending',
  })
  core.house_paid -= amount
  core.takeBack(account_id, core.lendTo(account_id))
  return 1
}

/** A payout closes a holding like a sale at its value. */
function closeAt(core: SlowLadder, account_id: string, outcome_id: string, price: bigint, quantity: bigint): void {
  core.trades.push({ account_id, bids: outcome_id === NO, price, quantity })
}

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

/**
 * Pays a resolution from the pool, the house too, once every settlement of the market is confirmed. Differences to what earlier
 * revisions paid come first, and are the house's.
 */
export function ladderPay(core: SlowLadder, accounts: readonly string[], { revision, payouts }: SlowResolution) {
  const positions = [...accounts, LADDER_HOUSE].flatMap((account_id) =>
    SLOW_OUTCOMES.map((outcome_id) => ({ account_id, outcome_id })),
  )
  const before = core.payments.length
  for (const one of positions) payDifference(core, one, payouts[one.outcome_id]!, revision)
  const waiting = ladderOpen(core)
  if (waiting > 0) return { paid: core.payments.length - before, waiting }
  for (const one of positions) {
    const net = core.net(one.account_id, one.outcome_id)
    if (net === 0n) continue
    const amount = payouts[one.outcome_id]! * net
    core.payments.push({ ...one, net, amount, revision, pool: amount, state: 'pending' })
    // It closes the holding like a sale at its value.
    core.trades.push({ account_id: one.account_id, bids: one.outcome_id === NO, price: payouts[YES]!, quantity: net })
  }
  return { paid: core.payments.length - before, waiting }
}

type Held = { readonly account_id: string; readonly outcome_id: string }

function payDifference(core: SlowLadder, one: Held, payout: bigint, revision: number): void {
  const before = core.payments.filter(
    (paid) => paid.account_id === one.account_id && paid.outcome_id === one.outcome_id,
  )
  if (before.length === 0 || before.some((payment) => payment.revision === revision)) return
  const sum = (field: 'net' | 'amount') => before.reduce((total, payment) => total + payment[field], 0n)
  const amount = payout * sum('net') - sum('amount')
  core.payments.push({ ...one, net: 0n, amount, revision, pool: 0n, state: amount === 0n ? 'confirmed' : 'pending' })
  if (one.account_id !== LADDER_HOUSE) core.takeBack(one.account_id, core.lendTo(one.account_id))
}

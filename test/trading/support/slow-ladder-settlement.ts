import type { SlowLadder } from './slow-ladder.ts'
import { LADDER_HOUSE, NO, YES } from './slow-ladder-records.ts'
import { SLOW_OUTCOMES, type SlowResolution } from './slow-settlement.ts'

/** Returns the number of positions with a settlement that no rail has confirmed and no adjustment has ended; the pool's count as one. */
function waitingIn({ fills, sets }: SlowLadder): number {
  const open = fills.filter(({ busted, state }) => !busted && state !== 'confirmed')
  const positions = new Set(open.map(({ order: { intent } }) => `${intent.account_id} ${intent.outcome_id}`))
  return positions.size + (sets.some(({ state }) => state !== 'confirmed') ? 1 : 0)
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
  const waiting = waitingIn(core)
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

import type { SlowLadder } from './slow-ladder.ts'
import { LADDER_HOUSE, NO, YES } from './slow-ladder-records.ts'
import { SLOW_OUTCOMES, type SlowResolution } from './slow-settlement.ts'

/** Returns the number of positions with a settlement that no rail has confirmed and no adjustment has ended; the pool's count as one. */
function waitingIn({ fills, sets }: SlowLadder): number {
  const open = fills.filter(({ busted, state }) => !busted && state !== 'confirmed')
  const positions = new Set(open.map(({ order: { intent } }) => `${intent.account_id} ${intent.outcome_id}`))
  return positions.size + (sets.some(({ state }) => state !== 'confirmed') ? 1 : 0)
}

type Held = { readonly account_id: string; readonly outcome_id: string }

/**
 * Pays a resolution from the pool, the house too, once every settlement of the market is confirmed. Differences to what earlier
 * revisions paid come first, and are the house's.
 */
export function ladderPay(
  core: SlowLadder,
  accounts: readonly string[],
  resolution: SlowResolution,
  only?: ReadonlySet<string>,
) {
  const positions = [...accounts, LADDER_HOUSE].flatMap((account_id) =>
    SLOW_OUTCOMES.map((outcome_id) => ({ account_id, outcome_id })),
  )
  const before = core.payments.length
  let left = 0
  const payEach = (is_due: (one: Held) => boolean, pay: (one: Held) => void) => {
    for (const one of positions.filter(is_due)) {
      if (only === undefined || only.has(`${one.account_id} ${one.outcome_id}`)) pay(one)
      else left += 1
    }
  }
  payEach(
    (one) => isOutdated(core, one, resolution.revision),
    (one) => payDifference(core, one, resolution),
  )
  const waiting = waitingIn(core)
  if (waiting === 0) {
    payEach(
      ({ account_id, outcome_id }) => core.net(account_id, outcome_id) !== 0n,
      (one) => payHolding(core, one, resolution),
    )
  }
  if (core.payments.length === 0) core.pool_payouts = null
  return { paid: core.payments.length - before, waiting, left }
}

function payHolding(core: SlowLadder, one: Held, { payouts, revision }: SlowResolution): void {
  const net = core.net(one.account_id, one.outcome_id)
  const [amount, pool] = [payouts[one.outcome_id]! * net, core.pool_payouts![one.outcome_id]! * net]
  core.payments.push({ ...one, net, amount, revision, pool, state: 'pending' })
  // It closes the holding like a sale at its value.
  core.trades.push({ account_id: one.account_id, bids: one.outcome_id === NO, price: payouts[YES]!, quantity: net })
}

const paymentsTo = ({ payments }: SlowLadder, { account_id, outcome_id }: Held) =>
  payments.filter((paid) => paid.account_id === account_id && paid.outcome_id === outcome_id)

/** Whether an earlier revision, but not this one, paid a position. */
function isOutdated(core: SlowLadder, one: Held, revision: number): boolean {
  const before = paymentsTo(core, one)
  return before.length > 0 && before.every((payment) => payment.revision !== revision)
}

function payDifference(core: SlowLadder, one: Held, { payouts, revision }: SlowResolution): void {
  const before = paymentsTo(core, one)
  const sum = (field: 'net' | 'amount') => before.reduce((total, payment) => total + payment[field], 0n)
  const amount = payouts[one.outcome_id]! * sum('net') - sum('amount')
  core.payments.push({ ...one, net: 0n, amount, revision, pool: 0n, state: amount === 0n ? 'confirmed' : 'pending' })
  if (one.account_id !== LADDER_HOUSE) core.takeBack(one.account_id, core.lendTo(one.account_id))
}

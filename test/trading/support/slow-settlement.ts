import type { SlowCore } from './slow-core.ts'
import { type SlowFill, type SlowMoving, type SlowPayment, type SlowState, UNIT } from './slow-records.ts'

export const SLOW_OUTCOMES = ['out_yes', 'out_no'] as const

const WAITING: readonly SlowState[] = ['pending', 'submitted', 'failed']

/** Begins an attempt. @returns whether one began */
export function slowSubmit(moving: SlowMoving): boolean {
  if (moving.state !== 'pending' && moving.state !== 'failed') return false
  moving.state = 'submitted'
  return true
}

/** Ends the attempt that is under way. @returns whether there was one */
export function slowConclude(moving: SlowMoving, result: 'confirmed' | 'failed'): boolean {
  if (moving.state !== 'submitted') return false
  moving.state = result
  return true
}

/** Takes a confirmation back. @returns false where there was none */
export function slowReverse(
  core: Pick<SlowCore, 'expire' | 'takeBack' | 'lendTo'>,
  fill: SlowMoving & Pick<SlowFill, 'busted'> & { readonly order: Pick<SlowFill['order'], 'intent'> },
  now: number,
): boolean {
  core.expire(now)
  if (fill.state !== 'confirmed' || fill.busted) return false
  fill.state = 'reversed'
  const { account_id } = fill.order.intent
  core.takeBack(account_id, core.lendTo(account_id))
  return true
}

/** Returns the number of settlements of a position's trades whose money is not confirmed. */
export function slowOpen(core: SlowCore, account_id: string, outcome_id: string): number {
  return tradesOf(core, account_id, outcome_id).filter(({ state }) => state !== 'confirmed').length
}

/** Returns the number of settlements that a position waits for; a reversed one no longer moves, it is open until an adjustment ends it. */
export function slowWaiting(core: SlowCore, account_id: string, outcome_id: string): number {
  return tradesOf(core, account_id, outcome_id).filter(({ state }) => WAITING.includes(state)).length
}

function tradesOf({ fills }: SlowCore, account_id: string, outcome_id: string): SlowFill[] {
  return fills.filter(
    ({ order: { intent }, busted }) => !busted && intent.account_id === account_id && intent.outcome_id === outcome_id,
  )
}

/** Returns the payments to a position so far. */
export function slowPaid({ payments }: SlowCore, account_id: string, outcome_id: string): SlowPayment[] {
  return payments.filter((paid) => paid.account_id === account_id && paid.outcome_id === outcome_id)
}

/** All money of a position's trades and payouts, fees apart: what it earned once nothing is held. */
export function slowEarned(core: SlowCore, account_id: string, outcome_id: string): bigint {
  const of_trades = core.fills.reduce((sum, { order: { intent }, price, quantity, busted }) => {
    if (busted || intent.account_id !== account_id || intent.outcome_id !== outcome_id) return sum
    return intent.side === 'BUY' ? sum - price * quantity * UNIT : sum + price * quantity * UNIT
  }, 0n)
  return slowPaid(core, account_id, outcome_id).reduce((sum, { amount }) => sum + amount, of_trades)
}

/** The part of a position whose settlements are confirmed. */
export function slowSettled(core: SlowCore, account_id: string, outcome_id: string): bigint {
  const of_trades = core.fills.reduce((sum, { order: { intent }, quantity, busted, state }) => {
    const counts = !busted && state === 'confirmed' && intent.account_id === account_id
    if (!counts || intent.outcome_id !== outcome_id) return sum
    return intent.side === 'BUY' ? sum + quantity : sum - quantity
  }, 0n)
  const paid = slowPaid(core, account_id, outcome_id).filter(({ state }) => state === 'confirmed')
  return paid.reduce((sum, { net }) => sum - net, of_trades)
}

/** A resolution in its newest revision: payouts in ten-thousandths by outcome. */
export type SlowResolution = { readonly revision: number; readonly payouts: Readonly<Record<string, bigint>> }

/** Pays everything that can be paid: differences to earlier revisions first, then positions whose trades are settled. */
export function slowPay(core: SlowCore, accounts: readonly string[], { revision, payouts }: SlowResolution) {
  const positions = accounts.flatMap((account_id) => SLOW_OUTCOMES.map((outcome_id) => ({ account_id, outcome_id })))
  const add = (one: (typeof positions)[number], net: bigint, amount: bigint) =>
    core.payments.push({ ...one, net, amount, revision, state: amount === 0n && net === 0n ? 'confirmed' : 'pending' })
  let paid = 0
  for (const one of positions) {
    const before = slowPaid(core, one.account_id, one.outcome_id)
    if (before.length === 0 || before.some((payment) => payment.revision === revision)) continue
    const sum = (field: 'net' | 'amount') => before.reduce((total, payment) => total + payment[field], 0n)
    add(one, 0n, payouts[one.outcome_id]! * sum('net') - sum('amount'))
    core.takeBack(one.account_id, core.lendTo(one.account_id))
    paid += 1
  }
  let waiting = 0
  for (const one of positions) {
    const net = core.net(one.account_id, one.outcome_id)
    if (slowOpen(core, one.account_id, one.outcome_id) > 0) waiting += 1
    else if (net !== 0n) {
      add(one, net, payouts[one.outcome_id]! * net)
      paid += 1
    }
  }
  return { paid, waiting }
}

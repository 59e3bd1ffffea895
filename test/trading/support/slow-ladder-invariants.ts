import type { SlowLadder } from './slow-ladder.ts'
import { ladderHouse, ladderPool, moneyOf } from './slow-ladder-money.ts'
import { LADDER_HOUSE, NO, YES } from './slow-ladder-records.ts'
import { max, min, UNIT } from './slow-records.ts'

/** The promises of complementary markets that a model breaks, as sentences; `brought` is what was deposited less withdrawn. */
export function ladderViolations(core: SlowLadder, accounts: readonly string[], brought: bigint): string[] {
  const found: string[] = []
  const expect = (what: string, holds: boolean, ...seen: readonly unknown[]) => {
    if (!holds) found.push(`${what}: ${seen.join(' ')}`)
  }
  const holders = [...accounts, LADDER_HOUSE]
  const [yes, no] = [YES, NO].map((outcome) => holders.reduce((sum, id) => sum + core.net(id, outcome), 0n))
  const pool = ladderPool(core)
  if (core.payments.length === 0) {
    expect('the pool holds 1 a set', pool.cash === pool.sets * 100n * UNIT, pool.cash, pool.sets)
    expect('sets are what is held', pool.sets === yes && pool.sets === no, pool.sets, yes, no)
    expect('pool cash is its balance', pool.cash === pool.total + pool.credit - pool.debit, pool.cash)
  }
  for (const account_id of holders) {
    const [held_yes, held_no] = [core.net(account_id, YES), core.net(account_id, NO)]
    expect(`${account_id} holds one outcome`, min(held_yes, held_no) === 0n, held_yes, held_no)
    expect(`${account_id} holds its exposure`, held_yes - held_no === core.exposure(account_id), held_yes, held_no)
    if (account_id === LADDER_HOUSE) continue
    const { reserved } = core.balance(account_id)
    expect(`available of ${account_id}`, core.available(account_id) >= 0n, core.available(account_id))
    expect(`reserved of ${account_id}`, reserved >= 0n, reserved)
  }
  const [bids, asks] = [true, false].map((side) =>
    core.orders.filter((order) => order.bids === side && ['open', 'partially_filled'].includes(order.status)),
  )
  for (const bid of bids!) {
    const crossed = asks!.find((ask) => ask.tick <= bid.tick && !ask.held && !bid.held)
    expect('bids are below asks', crossed === undefined, bid.tick, crossed?.tick)
  }
  expect('money is what was brought', moneyIn(core, accounts) === brought, moneyIn(core, accounts), brought)
  found.push(...pairViolations(core))
  return found
}

function moneyIn(core: SlowLadder, accounts: readonly string[]): bigint {
  const fees = core.fills.reduce((sum, { fee, busted }) => (busted ? sum : sum + fee), 0n)
  const of_accounts = accounts.reduce((sum, account_id) => {
    const { total, debit, credit } = core.balance(account_id)
    return sum + total - debit + credit
  }, 0n)
  return of_accounts + ladderPool(core).cash + fees + ladderHouse(core)
}

/** Per match: what both sides pay and what the pool takes are the fees. */
function pairViolations({ fills, sets }: SlowLadder): string[] {
  const found: string[] = []
  for (let n = 0; n < fills.length; n += 2) {
    const pair = [fills[n]!, fills[n + 1]!]
    const paid = pair.reduce((sum, fill) => sum + moneyOf(fill).debit - moneyOf(fill).credit, 0n)
    const made = sets.find((record) => record.fills.includes(fills[n]!))?.quantity ?? 0n
    const fees = pair[0]!.fee + pair[1]!.fee
    if (paid - made * 100n * UNIT !== fees)
      found.push(`match ${n / 2} pays ${paid} for ${made} sets and fees of ${fees}`)
    const parts = pair[0]!.segments.reduce((sum, { quantity }) => sum + quantity, 0n)
    if (parts !== max(pair[0]!.quantity, pair[1]!.quantity)) found.push(`match ${n / 2} has segments of ${parts}`)
  }
  return found
}

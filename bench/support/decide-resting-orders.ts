import { invariant } from '../../primitives/errors.ts'
import { SubmissionMaker } from '../../test/support/trading/submissions.ts'
import { noFacts } from '../../trading/engine/facts.ts'
import { emptyState } from '../../trading/engine/state.ts'
import type { Submission } from '../../trading/engine/submission.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { ENGINE_CORE } from '../../trading/service/engine-core.ts'
import type { DecidedOrder } from './naive-orders.ts'

const ACCOUNTS = Array.from({ length: 40 }, (_, n) => `acct_${n}`)
const NAME = 'naive'
const DEPOSIT = '10000000'
const SEQUENCES = 1_000_000
const START = 1_790_000_000_000_000

/** Returns the terms of the nth order: bids and asks that never meet, so that each leaves the same rows. */
export function restingTerms(n: number): {
  readonly side: 'BUY' | 'SELL'
  readonly limit_price: string
  readonly quantity: string
} {
  const price = 1 + ((n * 7) % 40)
  const side = n % 2 === 0 ? 'BUY' : 'SELL'
  const cents = side === 'BUY' ? price : 100 - price
  return { side, limit_price: `0.${String(cents).padStart(2, '0')}`, quantity: `${1 + (n % 9)}.00` }
}

/** Adds the accounts, money and market of the decided orders; their asset already exists. */
export async function seedRestingOrders(client: EngineClient): Promise<void> {
  const [, ...setup] = new SubmissionMaker(NAME).setUp(ACCOUNTS, DEPOSIT)
  for (const submission of setup) {
    const { error } = await client.submit(submission)
    invariant(error === null, `the bench is set up: ${error?.message}`)
  }
}

/** Decides orders in memory and returns the rows of each. */
export function decideRestingOrders(count: number): readonly DecidedOrder[] {
  const maker = new SubmissionMaker(NAME)
  const apply = applier()
  for (const submission of maker.setUp(ACCOUNTS, DEPOSIT)) apply(submission)
  return Array.from({ length: count }, (_, n) => {
    const place = maker.place(ACCOUNTS[n % ACCOUNTS.length]!, restingTerms(n))
    return { place, rows: apply(place) }
  })
}

function applier(): (submission: Submission) => DecidedOrder['rows'] {
  const state = emptyState()
  // Above the ids that the seed has used in the same tables.
  state.engine_sequence = SEQUENCES
  state.ledger_sequence = SEQUENCES
  let now = START
  return (submission) => {
    now += 1
    const changes = ENGINE_CORE.noChanges()
    ENGINE_CORE.apply(state, submission, noFacts(), now, changes)
    return ENGINE_CORE.finish(state, now, changes)
  }
}

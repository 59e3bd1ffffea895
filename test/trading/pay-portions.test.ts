import { expect, test } from 'vitest'
import { ENGINE } from '../../protocol/limits.ts'
import { applySubmission } from '../../trading/engine/apply-submission.ts'
import { noChanges } from '../../trading/engine/changes.ts'
import { noFacts } from '../../trading/engine/facts.ts'
import { finishBatch } from '../../trading/engine/finish-batch.ts'
import type { PaidResolution } from '../../trading/engine/settlement-commands.ts'
import { accountOf, emptyState, outcomeOf, positionOf } from '../../trading/engine/state.ts'
import type { OperatorCommand, Submission } from '../../trading/engine/submission.ts'
import type { Position } from '../../trading/order/order.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'

const POSITIONS = 20_000
/** Far more than a batch pays. */
const LIMIT = 5_000
const SECOND = 1_000_000

/** Holders of the outcome; every tenth waits for a rail. Each look at one of them is counted. */
function holders() {
  const state = emptyState()
  const facts = noFacts()
  const maker = new SubmissionMaker('p')
  let [now, looks] = [1_700_000_000 * SECOND, 0]
  const submit = (...submissions: readonly Submission[]) => {
    now += SECOND
    const changes = noChanges()
    const answers = submissions.map((one) => applySubmission(state, one, facts, now, changes))
    finishBatch(state, now, changes)
    return answers
  }
  const operate = <T>(command: OperatorCommand) => JSON.parse(submit(maker.operate(command))[0]!.data!) as T
  submit(...maker.setUp(['acct_a']))
  const outcome = outcomeOf(state, { market_id: 'mkt_1', outcome_id: 'out_yes' })
  const { policy } = accountOf(state, 'acct_a')
  const positions: Position[] = []
  for (let place = 0; place < POSITIONS; place += 1) {
    const account_id = `acct_holder_${place}`
    submit(maker.operate({ kind: 'add_account', account_id, owner_address: null, label: '', policy }))
    const position = positionOf(accountOf(state, account_id), outcome)
    position.net_quantity = 100
    let open_settlements = place % 10 === 0 ? 1 : 0
    Object.defineProperty(position, 'open_settlements', {
      get: () => {
        looks += 1
        return open_settlements
      },
      set: (value: number) => {
        open_settlements = value
      },
    })
    positions.push(position)
  }
  const resolution_id = 'res_1'
  operate({
    kind: 'propose_resolution',
    resolution_id,
    market_id: 'mkt_1',
    verdict: 'resolved',
    payouts: [
      { outcome_id: 'out_yes', payout: '1' },
      { outcome_id: 'out_no', payout: '0' },
    ],
    evidence: [],
    resolver: { kind: 'operator', resolver_id: null },
    dispute_window_ms: 0,
  })
  operate({ kind: 'finalize_resolution', resolution_id })
  const pay = () => {
    const before = looks
    const told = operate<PaidResolution>({ kind: 'pay_resolution', resolution_id, limit: LIMIT })
    return { ...told, looks: looks - before }
  }
  const payTwice = () => {
    const command = { kind: 'pay_resolution', resolution_id, limit: LIMIT } as const
    const answers = submit(maker.operate(command), maker.operate(command))
    return answers.map(({ data }) => (JSON.parse(data!) as PaidResolution).paid)
  }
  return { pay, payTwice, positions }
}

test(`${POSITIONS} positions: a portion looks at what it pays, not at the market`, { timeout: 120_000 }, () => {
  const { pay, payTwice, positions } = holders()
  // The first one finds them.
  const first = pay()
  expect(first.looks).toBeGreaterThan(POSITIONS / 2)
  const [paid_first, paid_second] = payTwice()
  expect([first.paid, paid_first]).toEqual([ENGINE.slice_max, ENGINE.slice_max])
  expect(paid_second).toBeLessThanOrEqual(ENGINE.slice_max / 10)
  const portions = [first]
  while (portions.at(-1)!.paid > 0) portions.push(pay())
  const waiting = POSITIONS / 10
  expect(portions.reduce((sum, { paid }) => sum + paid, paid_first! + paid_second!)).toBe(POSITIONS - waiting)
  expect(portions.at(-1)).toMatchObject({ paid: 0, waiting, done: false })
  for (const { looks } of portions.slice(1)) expect(looks).toBeLessThanOrEqual(4 * ENGINE.slice_max)
  expect(positions.filter(({ net_quantity }) => net_quantity !== 0).length).toBe(waiting)
})

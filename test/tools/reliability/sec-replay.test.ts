import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ATTACKS, runAttacks } from '../../../tools/reliability/replay/run-attacks.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()
const KINDS = Object.keys(ATTACKS)

test('every kind of changed or repeated request is refused with its code, and has no second effect', async () => {
  const { pool } = await database()
  const report = await runAttacks(pool, { seed: 1, count: KINDS.length })
  expect(report).toMatchObject({ violations: [], attacks: KINDS.length })
  expect(KINDS.length).toBeGreaterThanOrEqual(25)
})

describe('the lane sees a service that', () => {
  const of_orders = Object.fromEntries(Object.entries(ATTACKS).filter(([kind]) => kind.startsWith('order_')))
  /** Returns the findings of a run of attacks on orders in which every submission is changed on its way to the engine. */
  const foundWith = async (
    submit: (real: EngineClient, submission: Submission) => ReturnType<EngineClient['submit']>,
  ) => {
    const { pool } = await database()
    const engine = (real: EngineClient): EngineClient => ({ ...real, submit: (submission) => submit(real, submission) })
    return (await runAttacks(pool, { seed: 1, count: KINDS.length, attacks: of_orders, serving: { engine } }))
      .violations
  }
  /** Every order gets a nonce of its own on its way, so the engine knows none again. */
  const withNewNonce = (submission: Submission): Submission => {
    if (submission.kind !== 'place') return submission
    const { order } = submission
    return { ...submission, order: { ...order, signature: { ...order.signature, order_nonce: randomUUID() } } }
  }

  test('forgets the nonces of orders', async () => {
    const found = await foundWith((real, submission) => real.submit(withNewNonce(submission)))
    expect(found[0]).toMatch(/: answered 201 .* expected REPLAY_ORDER_NONCE_REUSED$/s)
  })

  test('does not look at the signatures of orders', async () => {
    const found = await foundWith((real, submission) =>
      real.submit(
        submission.kind === 'place' ? { ...submission, order: { ...submission.order, verdict: null } } : submission,
      ),
    )
    expect(found[0]).toContain('expected SIGNATURE_ORDER_MISMATCH')
  })

  test('refuses as it should, and does something all the same', async () => {
    const found = await foundWith(async (real, submission) => {
      const answer = await real.submit(submission)
      if (answer.error?.code === 'REPLAY_ORDER_NONCE_REUSED') {
        const command = {
          kind: 'deposit',
          transfer_id: randomUUID(),
          account_id: 'acct_a',
          asset_id: 'asset_usd',
          amount: '1',
        } as const
        await real.submit({ kind: 'operate', act_id: randomUUID(), actor: 'fault', reason: 'planted', command })
      }
      return answer
    })
    expect(found[0]).toMatch(/: had an effect/)
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueQueue } from '../../trading/engine/due-queue.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const SECOND = 1_000_000

type Act = { readonly item: number; readonly due_at: number | null }
const act: fc.Arbitrary<Act> = fc.record({ item: fc.nat(12), due_at: fc.option(fc.nat(6)) })

test('items come in the order of instant and rank, each once, as if the queue were sorted anew each time', () => {
  const property = fc.property(fc.array(act, { maxLength: 60 }), fc.nat(6), (acts, now) => {
    const queue = new DueQueue<number>()
    const wanted = new Map<number, readonly [due_at: number, rank: number]>()
    for (const [rank, { item, due_at }] of acts.entries()) {
      wanted.delete(item)
      if (due_at === null) queue.remove(item)
      else {
        queue.add(due_at, rank, item)
        wanted.set(item, [due_at, rank])
      }
      expect(queue.next_at).toBe(wanted.size === 0 ? null : Math.min(...[...wanted.values()].map(([at]) => at)))
      expect(queue.size).toBe(wanted.size)
    }
    const due = [...wanted].filter(([, [at]]) => at <= now).sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1])
    const taken: number[] = []
    for (let item = queue.takeDue(now); item !== null; item = queue.takeDue(now)) taken.push(item)
    expect(taken).toEqual(due.map(([item]) => item))
  })
  fc.assert(property)
})

test('orders that ended before their expiry, and switches that were set again, wait for nothing', () => {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a']))
  const expires_at = engine.now + 3600 * SECOND
  for (let n = 0; n < 5; n++) {
    const placing = maker.place('acct_a', { quantity: '0.01', time_in_force: 'GTD', expires_at })
    engine.ask(placing)
    engine.ask(maker.cancel('acct_a', placing.order.intent.order_id))
  }
  const left = maker.place('acct_a', { quantity: '0.01', time_in_force: 'GTD', expires_at })
  engine.ask(left)
  expect(engine.state.expiries.size).toBe(1)
  const set = (timeout_ms: number) => engine.ask(maker.cancelAfter('acct_a', timeout_ms))
  for (let n = 0; n < 5; n++) set(60_000)
  expect(engine.state.switches.size).toBe(1)
  set(0)
  expect(engine.state.switches.size).toBe(0)
})

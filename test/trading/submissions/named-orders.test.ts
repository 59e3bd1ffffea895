import { expect, test } from 'vitest'
import type { BatchItem } from '../../../protocol/resources/order.ts'
import type { CancelTarget } from '../../../trading/engine/submission.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b']))
  const placing = (client_order_id: string, order = {}) => maker.place('acct_a', { client_order_id, ...order })
  /** A cancel by client_order_id. */
  const named = (client_order_id: string, account_id = 'acct_a') => {
    const { order_id: _, ...cancel } = maker.cancel(account_id, '')
    return { ...cancel, client_order_id }
  }
  const cancelBatch = (...targets: readonly CancelTarget[]) => {
    const { identity } = maker.cancel('acct_a', 'batch')
    const submission = { kind: 'cancel_batch', identity, targets, client_cancel_id: 'stop-1', reason: 'list' } as const
    return { submission, ask: () => engine.ask<BatchItem[]>(submission).data }
  }
  return { engine, maker, placing, named, cancelBatch }
}

const codes = (items: readonly BatchItem[]) => items.map(({ error }) => error?.code ?? null)

test('a cancel by client_order_id is decided after the order before it, even in one batch', () => {
  const { engine, placing, named } = world()
  const [placed, canceled, again] = engine.submit(placing('one'), named('one'), named('one'))
  expect([placed!.status, canceled!.status, again!.status]).toEqual([201, 200, 409])
  expect(JSON.parse(canceled!.data!)).toMatchObject({ client_order_id: 'one', terminal_reason: 'USER_CANCELED' })
  expect(again!.data).toBe(canceled!.data)
  checkEngine(engine)
})

test("an unknown client_order_id and another account's are refused alike", () => {
  const { engine, placing, named } = world()
  engine.submit(placing('one'))
  const [foreign, unknown] = engine.submit(named('one', 'acct_b'), named('none', 'acct_b'))
  expect(foreign).toMatchObject({ status: 404, error: { code: 'ORDER_NOT_FOUND' }, data: null })
  expect(foreign!.error!.message.replace('"one"', '"none"')).toBe(unknown!.error!.message)
  expect(engine.state.orders.size).toBe(1)
})

test('an id that was used again names the working order, after a restart too', () => {
  const { engine, placing, named } = world()
  const rejected = placing('one', { limit_price: '0.555' })
  const working = placing('one')
  engine.submit(rejected)
  engine.submit(working)
  engine.state = engine.rebuilt()
  const { data, status } = engine.ask(named('one'))
  expect([status, data.order_id]).toEqual([200, working.order.intent.order_id])
})

test('an id whose orders have all ended names the newest one', () => {
  const { engine, placing, named } = world()
  const first = placing('one', { limit_price: '0.555' })
  const second = placing('one', { limit_price: '0.777' })
  // In one batch they are of the same instant.
  engine.submit(first, second)
  expect(engine.ask(named('one'))).toMatchObject({
    error: { code: 'ORDER_NOT_CANCELABLE' },
    data: { order_id: second.order.intent.order_id, status: 'rejected' },
  })
  const third = placing('one', { limit_price: '0.888' })
  const [, answer] = engine.submit(third, named('one'))
  expect(JSON.parse(answer!.data!).order_id).toBe(third.order.intent.order_id)
})

test('a list is canceled item by item, by either name', () => {
  const { engine, maker, placing, cancelBatch } = world()
  const [a, b, c] = [placing('a'), placing('b'), placing('c')]
  engine.submit(a, b, c, maker.place('acct_b', { client_order_id: 'theirs' }))
  const order_id = a.order.intent.order_id
  const any = { expected_order_version: null }
  const { submission, ask } = cancelBatch(
    { order_id, ...any },
    { client_order_id: 'b', ...any },
    { client_order_id: 'a', ...any },
    { client_order_id: 'c', expected_order_version: 1 },
    { client_order_id: 'theirs', ...any },
    { order_id: 'ord_none', ...any },
  )
  const items = ask()
  expect(codes(items)).toEqual([
    null,
    null,
    'ORDER_NOT_CANCELABLE',
    'ORDER_VERSION_CONFLICT',
    'ORDER_NOT_FOUND',
    'ORDER_NOT_FOUND',
  ])
  expect(items.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5])
  expect(items[2]).toMatchObject({ status: 'rejected', order_id, order: { status: 'canceled' } })
  expect(items[3]!.order).toMatchObject({ client_order_id: 'c', status: 'open' })
  expect([items[4]!.order, items[5]!.order]).toEqual([null, null])
  const kept = { cancel_command_id: submission.identity.command_id, client_cancel_id: 'stop-1', cancel_reason: 'list' }
  for (const { order } of items.slice(0, 2)) expect(order).toMatchObject(kept)
  expect(engine.state.orders.size).toBe(2)
  checkEngine(engine)
})

test('names of ended orders are let go: an amend, a fill and a cancel leave none behind', () => {
  const { engine, maker, placing, named } = world()
  const { data: old } = engine.ask(placing('one'))
  const { data: amended } = engine.ask<{ replacement: { order_id: string } }>(
    maker.amend('acct_a', old.order_id, old.version, { client_order_id: 'two', limit_price: '0.40' }),
  )
  const { working_by_client_id } = engine.state.accounts.get('acct_a')!
  expect([...working_by_client_id.keys()]).toEqual(['two'])
  expect(engine.ask(named('one'))).toMatchObject({ error: { code: 'ORDER_NOT_CANCELABLE' } })
  engine.submit(maker.place('acct_b', { side: 'SELL', limit_price: '0.40' }))
  expect(engine.ask(named('two'))).toMatchObject({ data: { order_id: amended.replacement.order_id, status: 'filled' } })
  engine.submit(placing('three'), named('three'))
  expect(working_by_client_id.size).toBe(0)
  checkEngine(engine)
})

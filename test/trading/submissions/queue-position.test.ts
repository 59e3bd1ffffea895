import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { QueuePosition } from '../../../protocol/resources/queue-position.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b']))
  const place = (account_id: string, limit_price: string, quantity: string, order = {}) =>
    engine.ask(maker.place(account_id, { limit_price, quantity, ...order })).data.order_id
  const ask = (order_id: string, account_id = 'acct_a') =>
    engine.ask<QueuePosition>({ kind: 'queue_position', account_id, order_id })
  const ahead = (order_id: string) => {
    const { ahead_at_price, ahead_at_better_prices } = ask(order_id).data
    return [ahead_at_price, ahead_at_better_prices].map((part) => part && [part.quantity, part.order_count])
  }
  return { engine, maker, place, ask, ahead }
}

test.each(['BUY', 'SELL'] as const)(
  'a %s waits for better prices of its side, and for older orders at its own',
  (side) => {
    const { engine, place, ask, ahead, maker } = world()
    const at = (ticks: number) => (side === 'BUY' ? `0.${40 - ticks}` : `0.${60 + ticks}`)
    place('acct_b', at(0), '3', { side })
    place('acct_a', at(0), '2', { side })
    place('acct_b', at(1), '5', { side })
    const older = place('acct_b', at(2), '7', { side })
    const order_id = place('acct_a', at(2), '1', { side })
    place('acct_b', at(2), '9', { side })
    place('acct_b', at(3), '9', { side })
    place('acct_b', at(1), '4', { side, outcome_id: 'out_no' })
    const before = dumpState(engine.state)
    const { data } = ask(order_id)
    expect(Value.Errors(QueuePosition, data)).toEqual([])
    expect(data).toMatchObject({ order_id, side, status: 'open', limit_price: at(2), remaining_quantity: '1.00' })
    expect(ahead(order_id)).toEqual([
      ['7.00', 1],
      ['10.00', 3],
    ])
    expect(dumpState(engine.state)).toEqual(before)
    engine.ask(maker.cancel('acct_b', older))
    expect(ahead(order_id)[0]).toEqual(['0.00', 0])
  },
)

test('an order that is not in the book waits for nothing; an unknown one and another account’s are refused alike', () => {
  const { engine, maker, place, ask, ahead } = world()
  const order_id = place('acct_a', '0.40', '1')
  engine.ask(maker.cancel('acct_a', order_id))
  expect(ahead(order_id)).toEqual([null, null])
  expect(ask(order_id).data.status).toBe('canceled')
  const [foreign, unknown] = [ask(order_id, 'acct_b'), ask('ord_none', 'acct_b')]
  expect([foreign.status, unknown.error?.code]).toEqual([404, 'ORDER_NOT_FOUND'])
  expect(foreign.error!.message.replace(order_id, 'ord_none')).toBe(unknown.error!.message)
})

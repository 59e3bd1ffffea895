import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { CancelAllResult } from '../../../protocol/resources/cancel-all.ts'
import { AmendedOrder, BatchItem, Order } from '../../../protocol/resources/order.ts'
import { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  for (const answer of engine.submit(...maker.setUp(['acct_a', 'acct_b']))) expect(answer.error).toBeNull()
  return { engine, maker }
}

describe('stage 3', () => {
  test('a request nonce is used up by the first request, whatever becomes of it', () => {
    const { engine, maker } = world()
    const placing = maker.place('acct_a')
    expect(engine.ask(placing).status).toBe(201)
    expect(engine.ask(placing)).toMatchObject({
      status: 409,
      error: { code: 'REPLAY_REQUEST_NONCE_REUSED' },
      data: null,
    })
  })

  test('the same key and body give the same answer, in the same batch too; another body is a conflict', () => {
    const { engine, maker } = world()
    const placing = maker.place('acct_a')
    const again = (nonce: string, body_hash = placing.identity.body_hash) => ({
      ...placing,
      identity: { ...placing.identity, nonce, body_hash },
    })
    const [first, second] = engine.submit(placing, again('nonce_x1'))
    expect(second).toEqual({ ...first, replayed: true })
    expect(engine.submit(again('nonce_x2'))).toEqual([{ ...first, replayed: true }])
    expect(engine.ask(again('nonce_x3', 'other'))).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_CONFLICT' },
    })
    expect(engine.rows('orders')).toHaveLength(1)
  })

  test('a client_order_id in use is refused, and nothing is recorded; a rejected order has not kept its own', () => {
    const { engine, maker } = world()
    engine.ask(maker.place('acct_a', { client_order_id: 'mine' }))
    const duplicate = maker.place('acct_a', { client_order_id: 'mine' })
    expect(engine.ask(duplicate)).toMatchObject({
      status: 409,
      error: { code: 'ORDER_DUPLICATE_CLIENT_ID' },
      data: null,
    })
    expect(engine.rows('orders')).toHaveLength(1)
    expect(engine.rows('order_nonce')).toHaveLength(1)
    expect(engine.rows('idempotent_answer')).toHaveLength(1)
    expect(engine.ask(maker.place('acct_a', { client_order_id: 'free', quantity: '0.001' })).status).toBe(422)
    expect(engine.ask(maker.place('acct_a', { client_order_id: 'free' })).status).toBe(201)
  })
})

describe('stage 4', () => {
  const refusal = { code: 'SIGNATURE_ORDER_MISMATCH', message: 'differs', facts: { digest: '0x1' } } as const

  test('a verdict refuses before anything else, leaves no order, and uses no order nonce', () => {
    const { engine, maker } = world()
    const placing = maker.place('acct_a', { market_id: 'mkt_none' })
    const asked = { ...placing, order: { ...placing.order, verdict: refusal } }
    expect(engine.ask(asked)).toMatchObject({ status: 400, error: refusal, data: null, location: null })
    expect([engine.rows('orders'), engine.rows('order_nonce')]).toEqual([[], []])
    expect(engine.rows('idempotent_answer')).toHaveLength(1)
  })

  test('a signer needs an authorization, and the owner none', () => {
    const { engine, maker } = world()
    const placing = maker.place('acct_a')
    const stranger = { ...placing.order.signature, signer: `0x${'9'.repeat(40)}` }
    const asked = { ...placing, order: { ...placing.order, signature: stranger } }
    expect(engine.ask(asked).error?.code).toBe('SIGNATURE_SIGNER_UNAUTHORIZED')
    engine.ask(maker.operate({ kind: 'revoke_key', key_id: 'key_acct_a', reason: 'lost' }))
    expect(engine.ask(maker.place('acct_a')).status).toBe(201)
  })

  test('an order nonce is used up by any order that passes, also by one rejected later', () => {
    const { engine, maker } = world()
    const first = maker.place('acct_a', { quantity: '0.001' })
    expect(engine.ask(first).status).toBe(422)
    const second = maker.place('acct_a')
    const asked = { ...second, order: { ...second.order, signature: first.order.signature } }
    expect(engine.ask(asked)).toMatchObject({ status: 409, error: { code: 'REPLAY_ORDER_NONCE_REUSED' } })
  })

  test('a GTD whose expiry the clock of the engine has reached', () => {
    const { engine, maker } = world()
    const expires_at = engine.now + 1_000_000
    const placing = maker.place('acct_a', { time_in_force: 'GTD', expires_at })
    expect(engine.ask(placing)).toMatchObject({ status: 400, error: { code: 'SIGNATURE_ORDER_EXPIRED' }, data: null })
  })
})

describe('stages 5 to 8', () => {
  test('a rejected order is recorded: 422 with error, record and location', () => {
    const { engine, maker } = world()
    const placing = maker.place('acct_a', { market_id: 'mkt_none', limit_price: '0.5', quantity: '1.5' })
    const { data, ...answer } = engine.ask(placing)
    const { order_id } = placing.order.intent
    expect(answer).toMatchObject({
      status: 422,
      error: { code: 'MARKET_NOT_FOUND' },
      location: `/v1/orders/${order_id}`,
    })
    expect(data).toMatchObject({
      order_id,
      status: 'rejected',
      version: 2,
      rejection: { code: 'MARKET_NOT_FOUND', retryable: false, request_id: placing.identity.request_id },
      original_quantity: '1.5',
      filled_quantity: '0',
      average_fill_price: null,
    })
    expect(Value.Errors(Order, data)).toEqual([])
  })

  test('the acknowledgement is the order as it is then, with every state reached', () => {
    const { engine, maker } = world()
    engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '40', limit_price: '0.60' }))
    const { status, data } = engine.ask(maker.place('acct_a', { quantity: '100', limit_price: '0.62' }))
    expect(status).toBe(201)
    expect(Value.Errors(Order, data)).toEqual([])
    expect(data).toMatchObject({
      status: 'partially_filled',
      filled_quantity: '40.00',
      remaining_quantity: '60.00',
      average_fill_price: '0.6000000000',
      accrued_fee: '0.320000',
      reserved_amount: '37.800000',
      opened_at: null,
    })
    expect(data.partially_filled_at).toBe(data.validated_at)
    expect(engine.rows('fill').map(({ fee_rate }) => fee_rate)).toEqual(['0.02', '0.005'])
  })
})

describe('batch', () => {
  test('each item for itself, in order; of two with one nonce or client id the first wins', () => {
    const { engine, maker } = world()
    const batch = maker.placeBatch('acct_a', [
      { client_order_id: 'x' },
      { client_order_id: 'x' },
      {},
      { quantity: '0.001' },
      {},
    ])
    const [first, , third] = batch.orders
    const orders = batch.orders.map((order, n) => (n === 2 ? { ...third!, signature: first!.signature } : order))
    const { status, data } = engine.ask<BatchItem[]>({ ...batch, orders })
    expect(status).toBe(200)
    for (const item of data) expect(Value.Errors(BatchItem, item)).toEqual([])
    expect(data.map((item: BatchItem) => [item.index, item.status, item.error?.code ?? null])).toEqual([
      [0, 'accepted', null],
      [1, 'rejected', 'ORDER_DUPLICATE_CLIENT_ID'],
      [2, 'rejected', 'REPLAY_ORDER_NONCE_REUSED'],
      [3, 'rejected', 'ORDER_LOT_SIZE_INVALID'],
      [4, 'accepted', null],
    ])
    expect(engine.rows('orders').map(({ status }) => status)).toEqual(['rejected', 'open', 'open'])
  })

  test('an item of another account tells nothing of what that account has used', () => {
    const { engine, maker } = world()
    engine.ask(maker.place('acct_b', { client_order_id: 'used' }))
    const batch = maker.placeBatch('acct_a', [{ client_order_id: 'used' }, { client_order_id: 'free' }])
    const orders = batch.orders.map((order) => ({ ...order, intent: { ...order.intent, account_id: 'acct_b' } }))
    const { data } = engine.ask<BatchItem[]>({ ...batch, orders })
    expect(data.map(({ error }) => error?.code)).toEqual([
      'SIGNATURE_SIGNER_UNAUTHORIZED',
      'SIGNATURE_SIGNER_UNAUTHORIZED',
    ])
  })
})

describe('a reduce_only FOK of more than it could reduce', () => {
  test.each([false, true])(
    'is refused when it is placed, previewed or replaces an order (complementary: %s)',
    (complementary) => {
      const engine = new MemoryEngine()
      const maker = new SubmissionMaker()
      engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000', { complementary }))
      engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '30', limit_price: '0.50' }))
      engine.ask(maker.place('acct_a', { quantity: '10', limit_price: '0.50' }))
      engine.ask(maker.place('acct_b', { quantity: '30', limit_price: '0.45' }))
      const { data: old } = engine.ask(maker.place('acct_a', { side: 'SELL', quantity: '1', limit_price: '0.90' }))
      const reducing = { side: 'SELL', limit_price: '0.45', reduce_only: true, time_in_force: 'FOK' } as const
      const error = { code: 'ORDER_REDUCE_ONLY_TOO_LARGE', message: 'reduce_only order of 20; allowed: at most 10.00' }
      const larger = { ...reducing, quantity: '20' }
      const before = dumpState(engine.state)
      const amend = maker.amend('acct_a', old.order_id, old.version, larger)
      expect(engine.ask(amend)).toMatchObject({ status: 422, error, data: null })
      const preview = (order: object) =>
        engine.ask<OrderPreview>({ kind: 'preview', account_id: 'acct_a', order: maker.order('acct_a', order) }).data
      expect(preview(larger)).toMatchObject({ status: 'rejected', rejection: error, executable_quantity: null })
      expect(dumpState(engine.state)).toEqual(before)
      expect(engine.ask(maker.place('acct_a', larger))).toMatchObject({
        status: 422,
        error,
        data: { filled_quantity: '0.00' },
      })
      engine.ask(maker.cancel('acct_a', old.order_id))
      const whole = { ...reducing, quantity: '10' }
      expect(preview(whole)).toMatchObject({ status: 'accepted', executable_quantity: '10.00' })
      const { data } = engine.ask(maker.place('acct_a', whole))
      expect(data).toMatchObject({ status: 'filled', filled_quantity: '10.00' })
    },
  )
})

describe('amend', () => {
  test('answers with the old order and its replacement', () => {
    const { engine, maker } = world()
    const { data: old } = engine.ask(maker.place('acct_a', { quantity: '5' }))
    const amend = maker.amend('acct_a', old.order_id, old.version, { quantity: '3', limit_price: '0.51' })
    const { status, data } = engine.ask<AmendedOrder>(amend)
    expect(status).toBe(200)
    expect(Value.Errors(AmendedOrder, data)).toEqual([])
    const { order_id } = amend.order.intent
    expect(data).toMatchObject({ status: 'canceled', terminal_reason: 'REPLACED', replaced_by_order_id: order_id })
    expect(data.replacement).toMatchObject({ order_id, status: 'open', remaining_quantity: '3.00' })
  })

  test('a refused replacement is not recorded, and the order stays as it was', () => {
    const { engine, maker } = world()
    const { data: old } = engine.ask(maker.place('acct_a'))
    const amend = (version: number, order = {}, order_id = old.order_id, account = 'acct_a') =>
      engine.ask(maker.amend(account, order_id, version, order))
    expect(amend(old.version, { quantity: '100000000' })).toMatchObject({ status: 422, data: null })
    expect(amend(old.version, { side: 'SELL' })).toMatchObject({
      status: 422,
      error: { code: 'ORDER_AMEND_NOT_ALLOWED' },
    })
    expect(amend(old.version - 1)).toMatchObject({
      status: 409,
      data: { order_id: old.order_id, version: old.version },
    })
    expect(amend(1, {}, 'ord_none')).toMatchObject({ status: 404, data: null })
    expect(amend(old.version, {}, old.order_id, 'acct_b')).toMatchObject({
      status: 404,
      error: { code: 'ORDER_NOT_FOUND' },
    })
    expect(engine.rows('orders')).toHaveLength(1)
    engine.ask(maker.cancel('acct_a', old.order_id))
    expect(amend(old.version)).toMatchObject({
      status: 409,
      error: { code: 'ORDER_NOT_CANCELABLE' },
      data: { status: 'canceled' },
    })
  })
})

describe('cancel', () => {
  test('another account’s order is like none at all; an ended one is shown', () => {
    const { engine, maker } = world()
    const { data: order } = engine.ask(maker.place('acct_a'))
    const [foreign, unknown] = engine.submit(maker.cancel('acct_b', order.order_id), maker.cancel('acct_b', 'ord_none'))
    expect(foreign!.status).toBe(404)
    expect(foreign!.error!.message.replace(order.order_id, 'ord_none')).toBe(unknown!.error!.message)
    const [first, second] = engine.submit(
      maker.cancel('acct_a', order.order_id),
      maker.cancel('acct_a', order.order_id),
    )
    expect([first!.status, second!.status]).toEqual([200, 409])
    expect(second!.error?.code).toBe('ORDER_NOT_CANCELABLE')
    expect(second!.data).toBe(first!.data)
    const stale = { ...maker.cancel('acct_a', order.order_id), expected_order_version: 1 }
    expect(engine.ask(stale)).toMatchObject({ status: 409, error: { code: 'ORDER_NOT_CANCELABLE' } })
    const { data: other } = engine.ask(maker.place('acct_a'))
    expect(engine.ask({ ...maker.cancel('acct_a', other.order_id), expected_order_version: 1 })).toMatchObject({
      error: { code: 'ORDER_VERSION_CONFLICT' },
      data: { version: other.version, status: 'open' },
    })
  })

  test('cancel-all tells each order, its cutoff, and where to read on', () => {
    const { engine, maker } = world()
    engine.submit(maker.place('acct_a'), maker.place('acct_a', { outcome_id: 'out_no' }), maker.place('acct_b'))
    const cutoff = engine.state.engine_sequence
    const { status, data } = engine.ask<CancelAllResult>(maker.cancelAll('acct_a'))
    expect(status).toBe(200)
    expect(Value.Errors(CancelAllResult, data)).toEqual([])
    expect(data).toMatchObject({ targeted_count: 2, failures: [], engine_cutoff_sequence: cutoff })
    expect(data.orders.map((order: { status: string }) => order.status)).toEqual(['canceled', 'canceled'])
    expect(engine.state.orders.size).toBe(1)
  })

  test('the dead-man’s switch fires by the clock of the engine, in a batch of its own, unless it is set again', () => {
    const { engine, maker } = world()
    const set = (timeout_ms: number) => engine.ask(maker.cancelAfter('acct_a', timeout_ms))
    const { data: order } = engine.ask(maker.place('acct_a'))
    set(5_000)
    for (let n = 0; n < 3; n += 1) engine.ask({ kind: 'stamp', at: engine.now })
    set(5_000)
    for (let n = 0; n < 4; n += 1) engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.state.orders.size).toBe(1)
    engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.rows('orders')[0]).toMatchObject({ order_id: order.order_id, terminal_reason: 'CANCEL_AFTER' })
    expect(engine.rows('account').find(({ account_id }) => account_id === 'acct_a')).toMatchObject({
      cancel_after_at: null,
    })
    engine.ask(maker.place('acct_a'))
    set(5_000)
    set(0)
    for (let n = 0; n < 6; n += 1) engine.ask({ kind: 'stamp', at: engine.now })
    expect(engine.state.orders.size).toBe(1)
  })
})

describe('preview', () => {
  test('a FOK that cannot fill whole executes nothing, as when it is placed', () => {
    const { engine, maker } = world()
    engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '1', limit_price: '0.48' }))
    const preview = (quantity: string) => {
      const order = maker.order('acct_a', { quantity, limit_price: '0.50', time_in_force: 'FOK' })
      return engine.ask({ kind: 'preview', account_id: 'acct_a', order, request_id: 'req_p' }).data
    }
    expect(preview('1')).toMatchObject({ executable_quantity: '1.00', average_executable_price: '0.4800000000' })
    expect(preview('1.01')).toMatchObject({ executable_quantity: '0.00', average_executable_price: null })
  })

  test('tells what would happen and changes nothing', () => {
    const { engine, maker } = world()
    engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '1', limit_price: '0.48' }))
    engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '1', limit_price: '0.50' }))
    const order = maker.order('acct_a', { quantity: '5', limit_price: '0.50' })
    const before = { state: dumpState(engine.state), rows: engine.rows('orders'), nonces: engine.rows('order_nonce') }
    const { status, data } = engine.ask({ kind: 'preview', account_id: 'acct_a', order, request_id: 'req_p' })
    expect(status).toBe(200)
    expect(Value.Errors(OrderPreview, data)).toEqual([])
    expect(data).toMatchObject({
      status: 'accepted',
      executable_quantity: '2.00',
      average_executable_price: '0.4900000000',
      reserved_amount: '2.550000',
      maximum_fee_charged: '0.050000',
    })
    const after = { state: dumpState(engine.state), rows: engine.rows('orders'), nonces: engine.rows('order_nonce') }
    expect({ ...after, state: { ...after.state, clock: 0 } }).toEqual({
      ...before,
      state: { ...before.state, clock: 0 },
    })
    const refused = engine.ask({
      kind: 'preview',
      account_id: 'acct_a',
      order: maker.order('acct_a', { quantity: '0.001' }),
      request_id: 'req_p',
    })
    expect(refused).toMatchObject({
      status: 200,
      data: { status: 'rejected', rejection: { code: 'ORDER_LOT_SIZE_INVALID' } },
    })
    expect(
      engine.submit({
        kind: 'preview',
        account_id: 'acct_a',
        order: maker.order('acct_a', { quantity: '1000000' }),
      })[0]!.data,
    ).toContain('BALANCE_INSUFFICIENT_COLLATERAL')
    expect(engine.rows('orders')).toHaveLength(2)
  })
})

import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import { ORDER_PREVIEW } from '../../protocol/limits.ts'
import type { Order } from '../../protocol/resources/order.ts'
import { OrderPreview } from '../../protocol/resources/order-preview.ts'
import type { SignedOrder } from '../../trading/engine/submission.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { SELF_TRADE_MODES } from '../../vocabulary/order.ts'
import { pick, seededRandom } from '../support/random.ts'
import { SEED } from '../support/seed.ts'
import { sized } from '../support/sized.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const HISTORIES = sized(20, 600)
const STEPS = 60
const SECOND = 1_000_000

/** Random orders of three accounts, each previewed and then placed at the same instant. */
class History {
  readonly engine = new MemoryEngine()
  readonly seen = new Map<string, number>()
  readonly #random: () => number
  readonly #maker = new SubmissionMaker('p')

  constructor(seed: number, complementary: boolean) {
    this.#random = seededRandom(seed)
    this.engine.submit(...this.#maker.setUp(ACCOUNTS, pick(['25', '1000'], this.#random), { complementary }))
  }

  step(): void {
    const chance = this.#random()
    if (chance < 0.05) this.engine.state = this.engine.rebuilt()
    if (chance < 0.1) this.engine.submit(this.#protection(pick(ACCOUNTS, this.#random)))
    else if (chance < 0.15) this.engine.submit(this.#fees())
    else this.#previewAndPlace(pick(ACCOUNTS, this.#random))
  }

  #previewAndPlace(account_id: string): void {
    const order = this.#maker.order(account_id, this.#terms())
    const { data: preview } = this.engine.ask<OrderPreview>({ kind: 'preview', account_id, order })
    const before = this.#ofAccount(account_id)
    this.engine.now -= SECOND // Both of one instant, so that no window ends between them.
    const { data: placed, error } = this.engine.ask({ ...this.#maker.place(account_id), order })
    const context = JSON.stringify({ intent: order.intent, preview, placed })
    expect(Value.Errors(OrderPreview, preview), context).toEqual([])
    expect(preview.rejection?.code ?? null, context).toBe(error?.code ?? null)
    this.#count(preview)
    if (error === null) this.#compare(preview, placed, order, before, context)
  }

  #compare(preview: OrderPreview, placed: Order, order: SignedOrder, before: Before, context: string): void {
    const said = {
      status: preview.order_status,
      terminal_reason: preview.terminal_reason,
      filled_quantity: preview.executable_quantity,
      average: preview.average_executable_price,
      own_orders: preview.self_trade_prevention?.own_orders ?? [],
    }
    const { status, terminal_reason, filled_quantity, average_fill_price } = placed
    const own_orders = this.#ownOrdersMet(order.intent, before)
    expect(said, context).toEqual({ status, terminal_reason, filled_quantity, average: average_fill_price, own_orders })
    this.#compareMoney(preview, placed, before, context)
    const prevention = preview.self_trade_prevention
    if (prevention === null) return
    const sum = own_orders.reduce((total, { canceled_quantity }) => total + toScaled(canceled_quantity, 2), 0n)
    expect(prevention.canceled_quantity, context).toBe(fromScaled(sum, 2))
    expect(prevention.ends_order, context).toBe(terminal_reason === 'SELF_TRADE_PREVENTION')
    expect(prevention.mode).toBe(order.intent.self_trade_prevention)
  }

  /** An order that meets nothing takes what the preview reserves; no fee is above the largest one. */
  #compareMoney(preview: OrderPreview, placed: Order, before: Before, context: string): void {
    expect(toScaled(placed.accrued_fee, 6), context).toBeLessThanOrEqual(toScaled(preview.maximum_fee_charged!, 6))
    expect(preview.available_before, context).toBe(fromScaled(BigInt(before.available), 6))
    if (placed.status !== 'open') return
    if (preview.self_trade_prevention !== null) return
    const { available } = this.#ofAccount(placed.account_id)
    expect(fromScaled(BigInt(before.available - available), 6), context).toBe(preview.reserved_amount)
    expect(placed.remaining_quantity, context).toBe(preview.working_quantity)
  }

  /** Reads from the tables, not from the answer, which own orders were met and what of them was canceled. */
  #ownOrdersMet({ order_id, outcome_id }: OrderIntent, before: Before) {
    const orders = this.engine.rows('orders')
    const matches = this.engine.rows('prevented_match').filter(({ taker_order_id }) => taker_order_id === order_id)
    return matches.map(({ maker_order_id, price, quantity }) => {
      const own = orders.find((row) => row.order_id === maker_order_id)!
      const has_ended = own.terminal_reason === 'SELF_TRADE_PREVENTION'
      const remaining = before.remaining.get(maker_order_id)!
      if (own.outcome_id !== outcome_id) this.#note('own order of the other outcome')
      return {
        order_id: maker_order_id,
        client_order_id: own.client_order_id,
        outcome_id: own.outcome_id,
        side: own.side,
        price: fromScaled(BigInt(price), 2),
        prevented_quantity: fromScaled(BigInt(quantity), 2),
        canceled_quantity: fromScaled(has_ended ? BigInt(remaining) : 0n, 2),
      }
    })
  }

  #ofAccount(account_id: string): Before {
    const of = <T extends { readonly account_id: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.account_id === account_id)
    const orders = of(this.engine.rows('orders')).map((row) => [row.order_id, row.remaining_quantity] as const)
    const [money] = of(this.engine.rows('balance'))
    const { total, reserved, withdrawal_hold, pending_settlement_debit } = money!
    const available = total - reserved - withdrawal_hold - pending_settlement_debit
    return { available, remaining: new Map(orders) }
  }

  #count({ order_status, terminal_reason, self_trade_prevention, rejection }: OrderPreview): void {
    this.#note(rejection?.code ?? terminal_reason ?? order_status!)
    if (self_trade_prevention !== null) this.#note(self_trade_prevention.mode)
  }

  #note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  #protection(account_id: string) {
    const random = this.#random
    const limits = { fill_count_max: 1 + Math.floor(random() * 4), quantity_max: pick([null, '7', '25.5'], random) }
    return this.#maker.setProtection(account_id, { ...limits, window_ms: 5_000, frozen_ms: pick([1, 4_000], random) })
  }

  #fees() {
    const [taker_rate, maker_rate] = pick(
      [
        ['0.02', '0.005'],
        ['0', '0'],
        ['0.1', '0.08'],
      ] as const,
      this.#random,
    )
    const rates = { schedule_id: 'fee_1', taker_rate, maker_rate }
    return this.#maker.operate({ kind: 'set_fees', ...rates, market_ids: ['mkt_1'] })
  }

  #terms(): Partial<OrderIntent> {
    const random = this.#random
    return {
      side: pick(['BUY', 'SELL'] as const, random),
      outcome_id: pick(['out_yes', 'out_yes', 'out_no'], random),
      limit_price: `0.${46 + Math.floor(random() * 8)}`,
      quantity: `${1 + Math.floor(random() * 20)}`,
      self_trade_prevention: pick(SELF_TRADE_MODES, random),
      time_in_force: pick(['GTC', 'GTC', 'GTC', 'FAK', 'FOK'] as const, random),
      ...pick([{}, {}, {}, { post_only: true, time_in_force: 'GTC' as const }, { reduce_only: true }], random),
      ...pick([{}, {}, {}, {}, { maximum_fee: '0.05' }, { maximum_notional: '3' }], random),
    }
  }
}

type Before = { readonly available: number; readonly remaining: ReadonlyMap<string, number> }

/** Results that must have come up often, or the property says little. */
const COMMON = [
  ...['open', 'partially_filled', 'filled', 'SELF_TRADE_PREVENTION', 'FOK_NOT_FILLED', 'FAK_REMAINDER', 'FAK_NO_FILL'],
  ...['ORDER_POST_ONLY_WOULD_TAKE', 'RISK_MAX_FEE_EXCEEDED', 'RISK_MAX_NOTIONAL_EXCEEDED'],
  ...SELF_TRADE_MODES,
]

test.each([
  ['two books', false],
  ['one ladder', true],
])('a preview says what placing then does, own orders in the way included: %s', (_kind, complementary) => {
  const seen = new Map<string, number>()
  for (let number = 0; number < HISTORIES; number += 1) {
    const history = new History(SEED * 1_000 + number, complementary)
    for (let n = 0; n < STEPS; n += 1) history.step()
    for (const [what, count] of history.seen) seen.set(what, (seen.get(what) ?? 0) + count)
  }
  const rare = COMMON.filter((what) => (seen.get(what) ?? 0) < HISTORIES / 4)
  expect(rare, JSON.stringify([...seen])).toEqual([])
})

test('a preview lists 100 own orders and counts the ones after them', () => {
  const { own_orders_listed_max } = ORDER_PREVIEW
  for (const more of [0, 1]) {
    const engine = new MemoryEngine()
    const maker = new SubmissionMaker()
    engine.submit(...maker.setUp(['acct_a']))
    for (let n = 0; n < own_orders_listed_max + more; n += 1) {
      engine.ask(maker.place('acct_a', { side: 'SELL', limit_price: '0.50', quantity: '2' }))
    }
    const wanted = { limit_price: '0.60', quantity: '500', self_trade_prevention: 'cancel_maker' } as const
    const order = maker.order('acct_a', wanted)
    const { data } = engine.ask<OrderPreview>({ kind: 'preview', account_id: 'acct_a', order })
    const told = data.self_trade_prevention!
    expect([told.own_orders.length, told.own_orders_omitted]).toEqual([own_orders_listed_max, more])
    expect(told).toMatchObject({ ends_order: false, canceled_quantity: fromScaled(BigInt(200 + 2 * more) * 100n, 2) })
  }
})

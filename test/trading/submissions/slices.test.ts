import { describe, expect, test } from 'vitest'
import { nextDue } from '../../../trading/engine/advance-clock.ts'
import type { OperatorCommand, Submission } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const SECOND = 1_000_000
const SEEDS = Number(process.env.TIDEMARK_RUNS ?? 12)
const STEPS = 80

function market(slice_max: number) {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.state.slice_max = slice_max
  engine.submit(...maker.setUp(ACCOUNTS))
  const act = (command: OperatorCommand) => engine.ask(maker.operate(command))
  const move = (to: 'paused' | 'open' | 'closed') => act({ kind: 'move_market', market_id: 'mkt_1', to })
  const rest = (count: number, order: Partial<OrderIntent> = {}) =>
    Array.from({ length: count }, () => {
      const placing = maker.place('acct_a', { quantity: '0.01', ...order })
      engine.ask(placing)
      return placing.order.intent.order_id
    })
  const tick = () => engine.ask({ kind: 'stamp', at: engine.now })
  const statuses = () => engine.rows('orders').map(({ status }) => status)
  const restart = () => {
    engine.state = engine.rebuilt()
    engine.state.slice_max = slice_max
  }
  return { engine, maker, move, rest, tick, statuses, restart }
}

describe('a pause of many orders', () => {
  test('suspends them in slices, an opening resumes them in slices, and a restart between slices goes on', () => {
    const { engine, move, rest, tick, statuses, restart } = market(4)
    rest(10)
    move('paused')
    expect(statuses().filter((status) => status === 'suspended')).toHaveLength(4)
    restart()
    expect(nextDue(engine.state)).toBe(engine.state.clock)
    tick()
    tick()
    expect(new Set(statuses())).toEqual(new Set(['suspended']))
    move('open')
    restart()
    expect(statuses().filter((status) => status === 'open')).toHaveLength(4)
    tick()
    tick()
    expect(new Set(statuses())).toEqual(new Set(['open']))
    expect(nextDue(engine.state)).toBeNull()
    checkEngine(engine)
  })

  test('an order that something meets before its slice first follows its market, and its version says so', () => {
    const { engine, maker, move, rest, statuses, restart } = market(2)
    const ids = rest(8)
    move('paused')
    const waiting = ids.at(-1)!
    expect(engine.ask(maker.cancel('acct_a', waiting)).data).toMatchObject({ status: 'canceled', version: 6 })
    while (statuses().includes('open')) engine.ask({ kind: 'stamp', at: engine.now })
    move('open')
    restart()
    const [, , , amended, , , stale] = ids as [string, string, string, string, string, string, string]
    expect(engine.ask(maker.amend('acct_a', stale, 4, { limit_price: '0.49' })).error?.code).toBe(
      'ORDER_VERSION_CONFLICT',
    )
    expect(engine.ask(maker.amend('acct_a', amended, 5, { limit_price: '0.49' })).status).toBe(200)
    checkEngine(engine)
  })

  test('suspended orders that were not resumed yet trade as soon as their market is open', () => {
    const { engine, maker, move, rest, tick, statuses } = market(2)
    rest(12)
    move('paused')
    for (let n = 0; n < 6; n += 1) tick()
    move('open')
    expect(statuses().filter((status) => status === 'suspended')).toHaveLength(10)
    const taken = engine.ask(maker.place('acct_b', { side: 'SELL', quantity: '0.12' }))
    expect(taken.data.status).toBe('filled')
    expect(new Set(statuses())).toEqual(new Set(['filled']))
    checkEngine(engine)
  })
})

test('dead-man switches that fire together share a slice', () => {
  const { engine, maker, tick } = market(2)
  for (const account_id of ACCOUNTS) for (let n = 0; n < 3; n += 1) engine.ask(maker.place(account_id))
  engine.submit(...ACCOUNTS.map((account_id) => maker.cancelAfter(account_id, 5_000)))
  while (engine.state.orders.size === 9) tick()
  expect(engine.state.orders.size).toBe(7)
  for (let n = 0; n < 4; n += 1) tick()
  const reasons = engine.rows('orders').map(({ terminal_reason }) => terminal_reason)
  expect(reasons).toEqual(Array(9).fill('CANCEL_AFTER'))
})

test('orders of a switch that is due and has not fired yet execute no more, and its account begins anew', () => {
  const { engine, maker, tick } = market(1)
  for (const account_id of ['acct_b', 'acct_c']) engine.ask(maker.place(account_id, { side: 'SELL' }))
  engine.submit(...['acct_b', 'acct_c'].map((account_id) => maker.cancelAfter(account_id, 3_000)))
  tick()
  tick()
  engine.submit(maker.place('acct_a'), maker.place('acct_c', { side: 'SELL', limit_price: '0.60' }))
  expect(engine.state.switches.size).toBe(0)
  tick()
  const rows = engine.rows('orders').map(({ account_id, status, terminal_reason: why }) => [account_id, status, why])
  expect(rows).toEqual([
    ['acct_b', 'canceled', 'CANCEL_AFTER'],
    ['acct_c', 'canceled', 'CANCEL_AFTER'],
    ['acct_a', 'open', null],
    ['acct_c', 'open', null],
  ])
  checkEngine(engine)
})

test('an order that a cancel-all left to a later slice is not ended by what its account does next', () => {
  const { engine, maker, tick } = market(2)
  engine.submit(maker.place('acct_b', { side: 'SELL', quantity: '1' }), maker.place('acct_a', { quantity: '1' }))
  const reducing = { side: 'SELL', quantity: '0.20', limit_price: '0.90', reduce_only: true } as const
  for (let n = 0; n < 5; n += 1) engine.ask(maker.place('acct_a', reducing))
  engine.ask(maker.cancelAll('acct_a'))
  const bid = maker.place('acct_b', { quantity: '1', limit_price: '0.50' })
  const sale = maker.place('acct_a', { side: 'SELL', quantity: '1', limit_price: '0.50' })
  engine.submit(bid, sale)
  tick()
  tick()
  const ended = engine.rows('orders').filter(({ reduce_only }) => reduce_only)
  expect(ended.map(({ terminal_reason }) => terminal_reason)).toEqual(Array(5).fill('CANCEL_ALL'))
  checkEngine(engine)
})

test('what was decided to end ends as decided, also where it expires before its slice', () => {
  const { engine, move, rest, tick } = market(2)
  rest(5, { cancel_on_pause: true, time_in_force: 'GTD', expires_at: engine.now + 9 * SECOND })
  move('paused')
  for (let n = 0; n < 12; n += 1) tick()
  const reasons = engine.rows('orders').map(({ terminal_reason }) => terminal_reason)
  expect(reasons).toEqual(Array(5).fill('CANCEL_ON_PAUSE'))
})

/** A market whose acts are carried out in slices of few, and one that carries out each at once. */
class Twins {
  readonly sliced = new MemoryEngine()
  readonly whole = new MemoryEngine()
  /** Batches that left something to the next one, batches that left switches, and restarts. */
  readonly seen = { waiting: 0, restarts: 0, switches: 0 }
  readonly #random: () => number
  readonly #maker = new SubmissionMaker()
  readonly #ids: { readonly account_id: string; readonly order_id: string; readonly terms: Partial<OrderIntent> }[] = []

  constructor(seed: number) {
    this.#random = seededRandom(seed)
    this.sliced.state.slice_max = 3
    this.whole.state.slice_max = Number.POSITIVE_INFINITY
    this.#both(...this.#maker.setUp(ACCOUNTS))
  }

  step(): void {
    const chance = this.#random()
    if (chance < 0.59) this.#place()
    else if (chance < 0.62) this.#arm()
    else if (chance < 0.68) this.#amend()
    else if (chance < 0.75) this.#cancel()
    else if (chance < 0.82) this.#both(this.#maker.cancelAll(pick(ACCOUNTS, this.#random)))
    else if (chance < 0.94) this.#move()
    else this.#restart()
    const { planned_ends, lagging, switches, clock } = this.sliced.state
    if (planned_ends.orders.length + lagging.orders.length > 0) this.seen.waiting += 1
    if (switches.next_at !== null && switches.next_at <= clock) this.seen.switches += 1
  }

  end(): void {
    const { status } = this.sliced.state.markets.get('mkt_1')!
    if (this.#random() < 0.5 && status !== 'closed')
      this.#operate({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' })
    while (nextDue(this.sliced.state) === this.sliced.state.clock) this.#both({ kind: 'stamp', at: this.sliced.now })
    for (let n = 0; n < 40; n += 1) this.#both({ kind: 'stamp', at: this.sliced.now })
  }

  #place(): void {
    const account_id = pick(ACCOUNTS, this.#random)
    const terms = this.#terms()
    const placing = this.#maker.place(account_id, terms)
    this.#ids.push({ account_id, order_id: placing.order.intent.order_id, terms })
    this.#both(placing)
  }

  #terms(): Partial<OrderIntent> {
    const random = this.#random
    const time_in_force = pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'GTD', 'FOK', 'FAK'] as const, random)
    const rests = time_in_force === 'GTC' || time_in_force === 'GTD'
    return {
      side: pick(['BUY', 'SELL'] as const, random),
      outcome_id: pick(['out_yes', 'out_yes', 'out_no'], random),
      limit_price: `0.${48 + Math.floor(random() * 5)}`,
      quantity: `0.${String(1 + Math.floor(random() * 60)).padStart(2, '0')}`,
      time_in_force,
      expires_at: time_in_force === 'GTD' ? this.sliced.now + (2 + Math.floor(random() * 12)) * SECOND : null,
      post_only: rests && random() < 0.2,
      cancel_on_pause: random() < 0.5,
      self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
    }
  }

  #amend(): void {
    const old = this.#ids.at(-1 - Math.floor(this.#random() * 12))
    if (old === undefined) return
    const { side, outcome_id } = old.terms as OrderIntent
    const amend = this.#maker.amend(old.account_id, old.order_id, 0, { ...this.#terms(), side, outcome_id })
    this.#ids.push({ ...old, order_id: amend.order.intent.order_id })
    // An order that was neither suspended nor resumed in time has fewer versions.
    this.#both(amend, (engine) => ({ ...amend, expected_order_version: versionOf(engine, old.order_id) }))
  }

  #cancel(): void {
    const old = this.#ids.at(-1 - Math.floor(this.#random() * 12))
    if (old !== undefined) this.#both(this.#maker.cancel(old.account_id, old.order_id))
  }

  /** Sets the switches of all accounts, so that those that are still armed are due together. */
  #arm(): void {
    const timeout_ms = 2_000 + 1_000 * Math.floor(this.#random() * 3)
    this.#both(...ACCOUNTS.map((account_id) => this.#maker.cancelAfter(account_id, timeout_ms)))
  }

  #move(): void {
    const { status } = this.sliced.state.markets.get('mkt_1')!
    this.#operate({ kind: 'move_market', market_id: 'mkt_1', to: status === 'open' ? 'paused' : 'open' })
  }

  #restart(): void {
    this.seen.restarts += 1
    this.sliced.state = this.sliced.rebuilt()
    this.sliced.state.slice_max = 3
  }

  #operate(command: OperatorCommand): void {
    this.#both(this.#maker.operate(command))
  }

  #both(...input: readonly Submission[] | [Submission, (engine: MemoryEngine) => Submission]): void {
    const given = input as readonly (Submission | ((engine: MemoryEngine) => Submission))[]
    const of = given.at(-1)
    const [left, right] = [this.sliced, this.whole].map((engine) =>
      engine.submit(...(typeof of === 'function' ? [of(engine)] : (given as readonly Submission[]))),
    )
    expect(left!.map(({ error }) => error?.code ?? null)).toEqual(right!.map(({ error }) => error?.code ?? null))
  }
}

function versionOf(engine: MemoryEngine, order_id: string): number {
  const order = engine.state.orders.get(order_id)
  return order?.version ?? 1
}

/** All that is left in the end: how each order ended and what it cost, and what everybody has. */
function endOf(engine: MemoryEngine) {
  return {
    orders: engine.rows('orders').map((order) => ({
      order_id: order.order_id,
      status: order.status,
      terminal_reason: order.terminal_reason,
      filled: order.filled_quantity,
      canceled: order.canceled_quantity,
      notional: order.filled_notional,
      fees: order.fees,
      reserved: order.reserved_amount,
    })),
    balances: engine.rows('balance').map(({ account_id, total, reserved }) => ({ account_id, total, reserved })),
    positions: engine.rows('position').map(({ account_id, outcome_id, net_quantity, realized_pnl }) => ({
      ...{ account_id, outcome_id, net_quantity, realized_pnl },
    })),
  }
}

test('slices change nothing but the time: random histories end as in an engine that carries out each act at once', () => {
  const seen = { waiting: 0, restarts: 0, switches: 0 }
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const twins = new Twins(seed)
    for (let step = 0; step < STEPS; step += 1) twins.step()
    twins.end()
    const sorted = ({ orders, ...rest }: ReturnType<typeof endOf>) => ({
      ...rest,
      orders: orders.sort((a, b) => (a.order_id < b.order_id ? -1 : 1)),
    })
    expect({ seed, ...sorted(endOf(twins.sliced)) }).toEqual({ seed, ...sorted(endOf(twins.whole)) })
    checkEngine(twins.sliced)
    for (const key of ['waiting', 'restarts', 'switches'] as const) seen[key] += twins.seen[key]
  }
  expect(Math.min(seen.waiting, seen.restarts, seen.switches)).toBeGreaterThan(SEEDS)
}, 120_000)

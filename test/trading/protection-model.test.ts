import { expect, test } from 'vitest'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import type { EngineEvent } from '../../trading/engine/events.ts'
import type { Submission } from '../../trading/engine/submission.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { pick, seededRandom } from '../support/random.ts'
import { SEED } from '../support/seed.ts'
import { sized } from '../support/sized.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { checkEngine } from './support/check-invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const HISTORIES = sized(15, 500)
const STEPS = 60
const SECOND = 1_000_000

/** A protection as the log alone tells of it: every fill that counts, added up anew each time. */
type Told = {
  fill_count_max: number
  quantity_max: number | null
  window_us: number
  fills: { at: number; quantity: number }[]
  frozen_until: number
}

/** Reads the log of events and says what breaks the promises of protections. Written without the engine's code. */
class Watch {
  readonly broken: string[] = []
  readonly #told = new Map<string, Told>()
  /** Account whose limit the last match has reached, and which must be told of before anything else is matched. */
  #due: string | null = null

  read(events: readonly EngineEvent[], at: number): void {
    for (const event of events) this.#readOne(event, at)
    if (this.#due !== null) this.broken.push(`${this.#due} reached its limit without a trigger`)
  }

  #readOne(event: EngineEvent, at: number): void {
    if (event.kind === 'trade' && this.#due !== null) this.broken.push(`a match after ${this.#due} reached its limit`)
    if (event.kind === 'fill' && event.liquidity_role === 'maker') this.#fill(event.account_id, event.quantity, at)
    if (event.kind === 'protection') this.#change(event, at)
    if (event.kind !== 'order' || event.status !== 'validated') return
    if ((this.#told.get(event.account_id)?.frozen_until ?? 0) > at) this.broken.push(`${event.order_id} while frozen`)
  }

  #fill(account_id: string, quantity: number, at: number): void {
    const told = this.#told.get(account_id)
    if (told === undefined) return
    if (told.frozen_until > at) this.broken.push(`a fill of ${account_id} while frozen`)
    told.fills.push({ at, quantity })
    const counted = told.fills.filter((fill) => at - fill.at < told.window_us)
    const sum = counted.reduce((total, fill) => total + fill.quantity, 0)
    if (sum > (told.quantity_max ?? Number.POSITIVE_INFINITY)) this.broken.push(`${account_id} gave ${sum}`)
    if (counted.length >= told.fill_count_max || sum === told.quantity_max) this.#due = account_id
  }

  #change(event: Extract<EngineEvent, { kind: 'protection' }>, at: number): void {
    const { account_id, action, fill_count_max, quantity_max, window_ms, frozen_ms } = event
    const before = this.#told.get(account_id)
    if (action === 'triggered' && this.#due !== account_id) this.broken.push(`a trigger of ${account_id} for nothing`)
    if (action === 'triggered') this.#due = null
    if (action === 'removed') this.#told.delete(account_id)
    else {
      const frozen_until = { set: before?.frozen_until ?? 0, triggered: at + frozen_ms * 1_000, reset: 0 }[action]
      this.#told.set(account_id, {
        fill_count_max,
        quantity_max,
        window_us: window_ms * 1_000,
        fills: [],
        frozen_until,
      })
    }
  }
}

class History {
  readonly engine = new MemoryEngine()
  readonly watch = new Watch()
  tried = 0
  readonly #random: () => number
  readonly #maker = new SubmissionMaker('g')
  #read = 0

  constructor(seed: number, complementary: boolean) {
    this.#random = seededRandom(seed)
    this.engine.submit(...this.#maker.setUp(ACCOUNTS, pick(['40', '1000'], this.#random), { complementary }))
    for (const account_id of ['acct_a', 'acct_b']) this.#submit(this.#protection(account_id))
  }

  step(): void {
    const chance = this.#random()
    if (chance < 0.05) this.engine.state = this.engine.rebuilt()
    if (chance > 0.9) this.engine.now += Math.floor(this.#random() * 4) * SECOND
    if (chance < 0.2) this.#tryAndTake()
    else this.#submit(this.#next())
  }

  /** What a preview says that a taker would execute is what it executes. */
  #tryAndTake(): void {
    const account_id = pick(ACCOUNTS, this.#random)
    const time_in_force = pick(['FOK', 'FAK', 'GTC'] as const, this.#random)
    const order = this.#maker.order(account_id, { ...this.#terms(), time_in_force, post_only: false })
    const { data } = this.engine.ask<OrderPreview>({ kind: 'preview', account_id, order })
    this.engine.now -= SECOND // Both of one instant, so that no window ends between them.
    const { data: placed } = this.#submit({ ...this.#maker.place(account_id), order })
    if (data.status === 'rejected') return
    expect(JSON.parse(placed!).filled_quantity).toBe(data.executable_quantity)
    this.tried += 1
  }

  #submit(submission: Submission) {
    const [answer] = this.engine.submit(submission)
    const events = this.engine.rows('engine_event').slice(this.#read)
    this.#read += events.length
    this.watch.read(
      events.map(({ kind, body }) => ({ kind, ...(body as object) }) as EngineEvent),
      this.engine.now,
    )
    return answer!
  }

  #next(): Submission {
    const random = this.#random
    const account_id = pick(ACCOUNTS, random)
    const chance = random()
    if (chance < 0.65) return this.#maker.place(account_id, this.#terms())
    if (chance < 0.85) {
      const orders = Array.from({ length: 1 + Math.floor(random() * 5) }, () => this.#terms())
      return this.#maker.massQuote(account_id, 'main', orders)
    }
    if (chance < 0.9) return this.#protection(account_id)
    if (chance < 0.94) return this.#maker.changeProtection(account_id, 'reset_protection')
    if (chance < 0.95) return this.#maker.changeProtection(account_id, 'remove_protection')
    return this.#maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: chance < 0.97 ? 'paused' : 'open' })
  }

  #protection(account_id: string): Submission {
    const random = this.#random
    return this.#maker.setProtection(account_id, {
      fill_count_max: 1 + Math.floor(random() * 4),
      quantity_max: pick([null, '7', '25.5'], random),
      window_ms: pick([1_000, 2_000, 30_000], random),
      frozen_ms: pick([1, 1_000, 4_000], random),
    })
  }

  #terms(): Partial<OrderIntent> {
    const random = this.#random
    return {
      side: pick(['BUY', 'SELL'] as const, random),
      outcome_id: pick(['out_yes', 'out_yes', 'out_no'], random),
      limit_price: `0.${46 + Math.floor(random() * 8)}`,
      quantity: `${1 + Math.floor(random() * 20)}`,
      self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
      ...pick([{}, {}, {}, { post_only: true }, { reduce_only: true }, { time_in_force: 'FOK' as const }], random),
    }
  }
}

test.each([
  ['two books', false],
  ['one ladder', true],
])('protections keep their promises in every history, and a preview knows them: %s', (_kind, complementary) => {
  const counts = { triggered: 0, tried: 0, fills: 0 }
  for (let number = 0; number < HISTORIES; number += 1) {
    const history = new History(SEED * 1_000 + number, complementary)
    for (let n = 0; n < STEPS; n += 1) history.step()
    expect(history.watch.broken, `history ${number}`).toEqual([])
    checkEngine(history.engine)
    const events = history.engine.rows('engine_event').map(({ body }) => (body as { action?: string }).action)
    counts.triggered += events.filter((action) => action === 'triggered').length
    counts.tried += history.tried
    counts.fills += history.engine.rows('fill').length
  }
  for (const [name, count] of Object.entries(counts)) expect([name, count > HISTORIES]).toEqual([name, true])
})

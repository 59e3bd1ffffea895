import { expect, test } from 'vitest'
import type { MassQuoteResult } from '../../protocol/resources/mass-quote.ts'
import type { BatchItem } from '../../protocol/resources/order.ts'
import type { CancelBatch, MassQuote, PlaceBatch, Submission } from '../../trading/engine/submission.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { pick, seededRandom } from '../support/random.ts'
import { SEED } from '../support/seed.ts'
import { sized } from '../support/sized.ts'
import { dumpState } from '../support/trading/dump-state.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { checkEngine } from './support/check-invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const SETS = ['bids', 'asks', 'both'] as const
const HISTORIES = sized(12, 400)
const STEPS = 25

/**
 * Plays one history twice: with mass quotes, and with a cancel of each order of the set followed by a placement of each new one, in one
 * batch. The first engine is rebuilt from its rows now and then, as after a kill.
 */
class Twins {
  readonly quoting = new MemoryEngine()
  readonly plain = new MemoryEngine()
  refused = 0
  replaced = 0
  rejected = 0
  readonly #random: () => number
  readonly #maker = new SubmissionMaker('m')

  constructor(seed: number, complementary: boolean) {
    this.#random = seededRandom(seed)
    const deposit = pick(['30', '1000'], this.#random)
    const begin = this.#maker.setUp(ACCOUNTS, deposit, { complementary })
    for (const engine of [this.quoting, this.plain]) engine.submit(...begin)
  }

  step(): void {
    const chance = this.#random()
    if (chance < 0.1) this.quoting.state = this.quoting.rebuilt()
    if (chance < 0.5) this.#quote()
    else this.#both(this.#other(chance))
  }

  #both(submission: Submission): void {
    for (const engine of [this.quoting, this.plain]) engine.submit(submission)
  }

  #other(chance: number): Submission {
    const account_id = pick(ACCOUNTS, this.#random)
    if (chance < 0.9) return this.#maker.place(account_id, this.#terms())
    if (chance < 0.94) return this.#maker.cancelAll(account_id)
    const to = chance < 0.96 ? 'paused' : 'open'
    return this.#maker.operate({ kind: 'move_market', market_id: 'mkt_1', to })
  }

  #quote(): void {
    const [account_id, set] = [pick(ACCOUNTS, this.#random), pick(SETS, this.#random)]
    const count = Math.floor(this.#random() * 6)
    const side = set === 'both' ? null : set === 'bids' ? ('BUY' as const) : ('SELL' as const)
    const orders = Array.from({ length: count }, () => ({ ...this.#terms(), ...(side !== null && { side }) }))
    const quote = this.#maker.massQuote(account_id, set, orders)
    const { data, error } = this.quoting.ask<MassQuoteResult>(quote)
    if (error !== null) {
      this.refused += 1
      expect(error.code).toBe('ORDER_MASS_QUOTE_CROSSED')
      this.plain.submit({ kind: 'stamp', at: 0 })
      return
    }
    this.#compare(data, this.plain.submit(...this.#inParts(quote, data)))
  }

  /** The set's orders are found without the engine's help: by the label that the rows of the other engine keep. */
  #inParts(quote: MassQuote, { canceled }: MassQuoteResult): readonly (CancelBatch | PlaceBatch)[] {
    const { identity, orders } = quote
    const in_set = this.quoting
      .rows('orders')
      .filter((row) => row.account_id === identity.account_id && row.quote_set_id === quote.quote_set_id)
      .map(({ order_id }) => order_id)
    const targets = [...this.plain.state.orders.values()]
      .filter(({ order_id }) => in_set.includes(order_id))
      .sort((a, b) => a.accepted_sequence - b.accepted_sequence)
      .map(({ order_id }) => ({ order_id, expected_order_version: null }))
    expect(canceled.map(({ order_id }) => order_id)).toEqual(targets.map(({ order_id }) => order_id))
    const identityOf = (part: string) => ({
      ...identity,
      nonce: `${identity.nonce}${part}`,
      idempotency_key: `${identity.nonce}${part}`,
    })
    return [
      { kind: 'cancel_batch', identity: identityOf('c'), targets, client_cancel_id: null, reason: null },
      { kind: 'place_batch', identity: identityOf('p'), orders },
    ]
  }

  #compare({ canceled, orders }: MassQuoteResult, [, placed]: ReturnType<MemoryEngine['submit']>): void {
    const items = JSON.parse(placed!.data!) as BatchItem[]
    expect(orders.map(resultOf)).toEqual(items.map(resultOf))
    this.replaced += canceled.length
    this.rejected += orders.filter(({ error }) => error !== null).length
  }

  #terms(): Partial<OrderIntent> {
    const random = this.#random
    return {
      side: pick(['BUY', 'SELL'] as const, random),
      outcome_id: pick(['out_yes', 'out_yes', 'out_no'], random),
      limit_price: `0.${45 + Math.floor(random() * 10)}`,
      quantity: `${1 + Math.floor(random() * 20)}`,
      self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
      cancel_on_pause: random() < 0.2,
      ...pick([{}, {}, { post_only: true }, { reduce_only: true }, { time_in_force: 'FAK' as const }], random),
    }
  }

  /** The state of either engine, without what names the request. */
  states() {
    return [this.quoting, this.plain].map(({ state }) => {
      const { quote_sets: _, orders, ...dumped } = dumpState(state)
      return { ...dumped, orders: orders.map(({ quote_set_id, command_id, cancel_command_id, ...order }) => order) }
    })
  }
}

function resultOf({ status, order_id, order, error }: BatchItem) {
  return { status, order_id, order_status: order?.status, filled: order?.filled_quantity, code: error?.code }
}

test.each([
  ['two books', false],
  ['one ladder', true],
])(
  'a mass quote is a cancel of the set and a placement of each order, with nothing between: %s',
  (_kind, complementary) => {
    const counts = { refused: 0, replaced: 0, rejected: 0, fills: 0 }
    for (let history = 0; history < HISTORIES; history += 1) {
      const twins = new Twins(SEED * 1_000 + history, complementary)
      for (let n = 0; n < STEPS; n += 1) {
        twins.step()
        const [quoting, plain] = twins.states()
        expect(quoting, `history ${history}, step ${n}`).toEqual(plain)
      }
      checkEngine(twins.quoting)
      for (const name of ['refused', 'replaced', 'rejected'] as const) counts[name] += twins[name]
      counts.fills += twins.quoting.rows('fill').length
    }
    for (const [name, count] of Object.entries(counts)) expect([name, count > HISTORIES]).toEqual([name, true])
  },
)

import { invariant } from '../../primitives/errors.ts'
import { attemptOf, SILENT } from '../../test/support/trading/settling.ts'
import { POLICY, SubmissionMaker } from '../../test/support/trading/submissions.ts'
import type { PaidResolution } from '../../trading/engine/settlement-commands.ts'
import type { OperatorCommand, Submission } from '../../trading/engine/submission.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import type { StartedEngine } from '../../trading/service/start-engine.ts'
import type { Pool } from '../../trading/store/create-pool.ts'

export const ORDERS = 10_000
const HOLDERS = 10_000
/** Submissions in flight at once. */
const IN_FLIGHT = 500
const [CROWD, SELLER] = ['acct_crowd', 'acct_seller'] as const
const VICTIM = 'acct_victim'
const PAID_MARKET = 'mkt_paid'
const EVERY_ORDER = { max_open_orders: 2 * ORDERS, max_open_orders_per_market: 2 * ORDERS }
const PAYOUTS = [
  { outcome_id: 'out_paid', payout: '1' },
  { outcome_id: 'out_unpaid', payout: '0' },
]

/**
 * Adds an account that may have all the orders, one that is measured, and a market that many hold.
 * Prices and quantities are small, so that money never matters.
 */
export async function seedCrowd(client: EngineClient): Promise<void> {
  const maker = new SubmissionMaker('seed')
  const holders = Array.from({ length: HOLDERS }, (_, n) => `acct_${n}`)
  const [asset, market, opened, ...accounts] = maker.setUp([CROWD, VICTIM, SELLER, ...holders], '20000')
  for (const submission of [asset!, market!, opened!]) await submit(client, [submission])
  const operate = (command: OperatorCommand) => submit(client, [maker.operate(command)])
  await submit(client, accounts)
  const policy = { ...POLICY, ...EVERY_ORDER, policy_version: 2 }
  await operate({ kind: 'set_policy', account_id: CROWD, policy })
  for (const [market_id, outcome_ids] of [
    [PAID_MARKET, ['out_paid', 'out_unpaid']],
    ['mkt_calm', ['out_calm', 'out_other']],
  ] as const) {
    await operate({ kind: 'add_market', market_id, outcome_ids, terms: TERMS, fees: FEES })
    await operate({ kind: 'move_market', market_id, to: 'open' })
  }
  const paid = { market_id: PAID_MARKET, outcome_id: 'out_paid' }
  await submit(client, [maker.place(SELLER, { ...paid, side: 'SELL', quantity: String(HOLDERS) })])
  await submit(
    client,
    holders.map((holder) => maker.place(holder, { ...paid, quantity: '1', time_in_force: 'FAK' })),
  )
}

const TERMS = {
  price_min: '0.01',
  price_max: '0.99',
  price_increment: '0.01',
  quantity_increment: '0.01',
  minimum_quantity: '0.01',
  settlement_asset_id: 'asset_usd',
  shorting_permitted: true,
}
const FEES = { schedule_id: 'fee_calm', schedule_version: 1, taker_rate: '0', maker_rate: '0' }

/** Carries out submissions, some at once. */
async function submit(client: EngineClient, submissions: readonly Submission[]): Promise<string[]> {
  const answers: string[] = []
  let next = 0
  const work = async () => {
    while (next < submissions.length) {
      const place = next++
      const { error, data } = await client.submit(submissions[place]!)
      invariant(error === null, `${submissions[place]!.kind} is carried out: ${error?.message}`)
      answers[place] = data ?? ''
    }
  }
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, submissions.length) }, work))
  return answers
}

/** A started engine with the crowd, and the acts that concern all of its orders or holders. */
export class CrowdedMarket {
  readonly #engine: StartedEngine
  readonly #pool: Pool
  readonly #maker = new SubmissionMaker(`c${process.hrtime.bigint()}`)
  /** Settlements in one command; Infinity: all of them. */
  readonly #portion: number

  constructor(engine: StartedEngine, pool: Pool, portion: number) {
    this.#engine = engine
    this.#pool = pool
    this.#portion = portion
  }

  /** Places orders that rest: 99 prices on each side of two outcomes. @param expires_at null: never */
  async rest(terms: Partial<OrderIntent> = {}): Promise<void> {
    const orders = Array.from({ length: ORDERS }, (_, n) => {
      const outcome_id = n % 2 === 0 ? 'out_yes' : 'out_no'
      const cents = 1 + (n % 98)
      return this.#maker.place(CROWD, { outcome_id, quantity: '0.01', limit_price: price(cents), ...terms })
    })
    await submit(this.#engine.client, orders)
  }

  async cancelAll(): Promise<void> {
    await submit(this.#engine.client, [this.#maker.cancelAll(CROWD)])
  }

  async operate(command: OperatorCommand): Promise<string> {
    const [data] = await submit(this.#engine.client, [this.#maker.operate(command)])
    return data!
  }

  async move(to: 'paused' | 'open' | 'closed'): Promise<void> {
    await this.operate({ kind: 'move_market', market_id: 'mkt_1', to })
  }

  /** Settles all trades of the paid market, one command after the other. */
  async settle(): Promise<void> {
    const { rows } = await this.#pool.query<{ settlement_id: string }>(
      `SELECT settlement_id FROM trading.settlement WHERE market_id = '${PAID_MARKET}' AND state = 'pending' ORDER BY 1`,
    )
    for (let from = 0; from < rows.length; from += Math.min(this.#portion, rows.length)) {
      const attempts = rows.slice(from, from + this.#portion).map(({ settlement_id }) => ({
        settlement_id,
        attempt_id: attemptOf(settlement_id, 1),
        confirmation: SILENT,
      }))
      await this.operate({ kind: 'submit_settlements', rail: 'custodial', attempts })
    }
  }

  async resolve(): Promise<void> {
    const resolver = { kind: 'operator', resolver_id: null } as const
    const resolution = {
      resolution_id: 'res_paid',
      market_id: PAID_MARKET,
      verdict: 'resolved',
      payouts: PAYOUTS,
    } as const
    await this.operate({ kind: 'propose_resolution', ...resolution, evidence: [], resolver, dispute_window_ms: 0 })
    await this.operate({ kind: 'finalize_resolution', resolution_id: 'res_paid' })
  }

  /** Pays every holder, portion after portion. */
  async pay(): Promise<void> {
    for (let is_done = false; !is_done; ) {
      const paid = await this.operate({ kind: 'pay_resolution', resolution_id: 'res_paid', limit: HOLDERS * 2 })
      is_done = (JSON.parse(paid) as PaidResolution).done
    }
  }

  /** Orders of the crowd that are working, and those among them that are suspended. */
  counts(): { readonly working: number; readonly suspended: number; readonly waiting: number } {
    const { orders, planned_ends, lagging } = this.#engine.state()!
    const mine = [...orders.values()].filter(({ position }) => position.account_id === CROWD)
    const suspended = mine.filter(({ status }) => status === 'suspended').length
    return { working: mine.length, suspended, waiting: planned_ends.orders.length + lagging.orders.length }
  }

  /** Time of one order of somebody else in another market, in milliseconds. */
  async victimMs(): Promise<number> {
    const terms = { market_id: 'mkt_calm', outcome_id: 'out_calm', time_in_force: 'FAK', quantity: '0.01' } as const
    const order = this.#maker.place(VICTIM, terms)
    const begun = performance.now()
    await submit(this.#engine.client, [order])
    return performance.now() - begun
  }
}

function price(cents: number): string {
  return `0.${String(cents).padStart(2, '0')}`
}

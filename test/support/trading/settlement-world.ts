import { setTimeout as sleep } from 'node:timers/promises'
import { SETTLEMENT_POLICY, type SettlementPolicy } from '../../../operations/settlement/settlement-policy.ts'
import type { SettlementPorts } from '../../../operations/settlement/settlement-ports.ts'
import { invariant } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { performAct } from '../../../trading/service/perform-act.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import { custodialRail } from '../../../trading/settlement/custodial-rail.ts'
import type { SettlementRail } from '../../../trading/settlement/settlement-rail.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { settlementReads } from '../../../trading/store/settlement/settlement-reads.ts'
import { settlementWork } from '../../../trading/store/settlement/settlement-work.ts'
import { SubmissionMaker } from './submissions.ts'

/** Usual policy with delays short enough for a test. */
export const QUICK: SettlementPolicy = {
  ...SETTLEMENT_POLICY,
  window_ms: 100,
  look_ms: 50,
  backoff_first_ms: 50,
  backoff_max_ms: 200,
  rail_ms: 1_000,
}

export const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const

/** An engine in this process over a database, with an open market and accounts that trade. */
export class SettlementWorld {
  readonly pool: Pool
  readonly client: EngineClient
  readonly maker = new SubmissionMaker()
  readonly stop: () => Promise<void>
  #acts = 0

  private constructor(pool: Pool, client: EngineClient, stop: () => Promise<void>) {
    this.pool = pool
    this.client = client
    this.stop = stop
  }

  static async start(pool: Pool): Promise<SettlementWorld> {
    const engine = await startEngine({ pool, now: wallClock, holder: 'test', address: '127.0.0.1:0' })
    await engine.leading
    const world = new SettlementWorld(pool, engine.client, engine.stop)
    for (const submission of world.maker.setUp(ACCOUNTS)) {
      const { error } = await engine.client.submit(submission)
      invariant(error === null, `the world is set up: ${error?.message}`)
    }
    return world
  }

  get reads() {
    return settlementReads(this.pool)
  }

  ports(rail: SettlementRail = custodialRail(), given: Partial<SettlementPorts> = {}): SettlementPorts {
    return {
      work: settlementWork(this.pool),
      client: this.client,
      rail,
      policy: QUICK,
      now: wallClock,
      signal: new AbortController().signal,
      on_problem: () => undefined,
      ...given,
    }
  }

  /** One account buys of another. */
  async trade(buyer: string, seller: string, quantity: string, price = '0.40', outcome_id = 'out_yes'): Promise<void> {
    const terms = { quantity, limit_price: price, outcome_id }
    for (const [account_id, side] of [
      [seller, 'SELL'],
      [buyer, 'BUY'],
    ] as const) {
      const { error } = await this.client.submit(this.maker.place(account_id, { ...terms, side }))
      invariant(error === null, `an order is taken: ${error?.message}`)
    }
  }

  act(command: OperatorCommand, actor = 'desk-lead'): Promise<unknown> {
    this.#acts += 1
    return performAct(this.client, { act_id: `act_world_${this.#acts}`, actor, reason: 'a test', command })
  }

  /** Settlements by id, the oldest first. */
  async settlements() {
    const filter = { state: null, account_id: null, market_id: null, asset_id: null, limit: 10_000 }
    const found = await this.reads.listSettlements(filter)
    return [...found].sort((a, b) => (a.created_at + a.settlement_id < b.created_at + b.settlement_id ? -1 : 1))
  }

  async states(): Promise<readonly string[]> {
    return (await this.settlements()).map(({ state }) => state)
  }

  async balance(account_id: string) {
    const { rows } = await this.pool.query<{
      total: number
      pending_settlement_debit: number
      pending_settlement_credit: number
    }>('SELECT total, pending_settlement_debit, pending_settlement_credit FROM trading.balance WHERE account_id = $1', [
      account_id,
    ])
    return rows[0]!
  }

  /** Promises of the books that do not hold. */
  async violations() {
    return (await auditTrading(this.pool, { without: ['O10'] })).filter(({ violations }) => violations.length > 0)
  }
}

/** Waits for something that goes on beside the test. */
export async function until(holds: () => Promise<boolean>, wait_ms = 100_000): Promise<void> {
  const end = Date.now() + wait_ms
  while (!(await holds())) {
    invariant(Date.now() < end, `it comes to be within ${wait_ms} ms`)
    await sleep(25)
  }
}

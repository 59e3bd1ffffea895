import { setTimeout as sleep } from 'node:timers/promises'
import { attemptId } from '../../../operations/settlement/attempt-id.ts'
import { settleAttempts } from '../../../operations/settlement/settle-attempts.ts'
import { SETTLEMENT_POLICY } from '../../../operations/settlement/settlement-policy.ts'
import type { SettlementPorts } from '../../../operations/settlement/settlement-ports.ts'
import { invariant } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { openRailRecord } from '../../../test/support/trading/rail-record.ts'
import { SubmissionMaker } from '../../../test/support/trading/submissions.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { settlementWork } from '../../../trading/store/settlement/settlement-work.ts'
import { DayClient } from './day-client.ts'
import type { DayProcesses } from './day-processes.ts'
import { DAY_POLICY, dayRail } from './day-rail.ts'
import { DAY_ACCOUNTS, DAY_MARKETS, type DayStep, outcomesOf } from './day-script.ts'

type Step<K extends DayStep['kind']> = Extract<DayStep, { readonly kind: K }>

const ASSET = 'asset_usd'
const OPERATOR = 'desk-lead'
const APPROVER = 'omar'
const LOOK_MS = 100
const PATIENCE_MS = 180_000

/** Everybody of the day: those who trade, and the operator. Each step waits for its end, however often it has to be asked for. */
export class DayActor {
  readonly client: DayClient
  readonly #day: DayProcesses
  readonly #maker = new SubmissionMaker('day')
  readonly #ports: SettlementPorts
  readonly #placed: { readonly account_id: string; readonly order_id: string }[] = []
  readonly refused: Record<string, number> = {}
  #acts = 0
  retried = 0
  reversed = 0

  private constructor(day: DayProcesses, client: DayClient, rail: SettlementPorts['rail']) {
    this.#day = day
    this.client = client
    this.#ports = {
      work: settlementWork(day.pool),
      client,
      rail,
      policy: { ...SETTLEMENT_POLICY, ...DAY_POLICY },
      now: wallClock,
      signal: new AbortController().signal,
      on_problem: () => undefined,
    }
  }

  static async open(day: DayProcesses, seed: string): Promise<DayActor> {
    const actor = new DayActor(day, new DayClient(day.pool), await dayRail(day.rail, seed))
    await actor.#setUp()
    return actor
  }

  async act(step: DayStep): Promise<void> {
    switch (step.kind) {
      case 'order':
        return this.#place(step)
      case 'cancel':
        return this.#cancel(step)
      case 'pause':
      case 'open':
        return this.#move(step)
      case 'settled':
        return this.#settled()
      case 'reverse':
        return this.#reverse(step)
      case 'propose':
        return this.#propose(step)
      case 'dispute':
        return this.#dispute(step)
      case 'paid':
        return this.#until(async () => (await this.#ports.work.openResolutions(step.resolution_id)).length === 0)
      case 'withdraw':
        return this.#withdraw(step)
      case 'correct':
        return this.#correct(step)
    }
  }

  async #setUp(): Promise<void> {
    const set_up = this.#maker.setUp(DAY_ACCOUNTS, '100000')
    for (const submission of set_up) {
      // The market of the usual set-up is not one of the day.
      if (submission.kind === 'operate' && 'market_id' in submission.command) continue
      const { error } = await this.client.submit(submission)
      invariant(error === null, `the day is set up: ${error?.message}`)
    }
    for (const market_id of DAY_MARKETS) {
      await this.#operate({
        kind: 'add_market',
        market_id,
        outcome_ids: outcomesOf(market_id),
        terms: {
          price_min: '0.01',
          price_max: '0.99',
          price_increment: '0.01',
          quantity_increment: '1',
          minimum_quantity: '1',
          settlement_asset_id: ASSET,
          shorting_permitted: true,
        },
        fees: { schedule_id: 'fee_day', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' },
      })
      await this.#operate({ kind: 'move_market', market_id, to: 'open' })
    }
  }

  async #place({ account_id, order }: Step<'order'>): Promise<void> {
    const submission = this.#maker.place(account_id, order)
    const { error } = await this.client.submit(submission)
    if (error !== null) this.refused[error.code] = (this.refused[error.code] ?? 0) + 1
    this.#placed.push({ account_id, order_id: submission.order.intent.order_id })
  }

  /** One that has ended is refused, each time alike. */
  async #cancel({ order }: Step<'cancel'>): Promise<void> {
    const { account_id, order_id } = this.#placed[order]!
    await this.client.submit(this.#maker.cancel(account_id, order_id))
  }

  async #move({ kind, market_id }: Step<'pause' | 'open'>): Promise<void> {
    await this.#operate({ kind: 'move_market', market_id, to: kind === 'pause' ? 'paused' : 'open' })
    const pausing = "SELECT 1 FROM trading.orders WHERE status = 'cancel_pending' LIMIT 1"
    await this.#until(async () => (await this.#rows(pausing)).length === 0)
  }

  async #settled(): Promise<void> {
    await this.#until(async () => {
      const [of] = await this.#ports.work.backlog()
      const left = of!.pending + of!.submitted + of!.retrying + of!.in_review
      if (left > 0 && of!.pending + of!.submitted + of!.retrying === 0) await this.#retryAll()
      return left === 0
    })
  }

  async #retryAll(): Promise<void> {
    type Failed = { readonly settlement_id: string; readonly attempt_count: number }
    const sql =
      "SELECT settlement_id, attempt_count FROM trading.settlement WHERE state = 'failed' ORDER BY settlement_id"
    const attempts = (await this.#rows<Failed>(sql)).map(({ settlement_id, attempt_count }) => ({
      settlement_id,
      attempt_id: attemptId(settlement_id, attempt_count + 1),
    }))
    this.retried += attempts.length
    await settleAttempts(attempts, this.#ports, { actor: OPERATOR, reason: 'the rail is mended' })
  }

  /** Trades that no other is like, so that both days choose the same. */
  async #reverse({ count }: Step<'reverse'>): Promise<void> {
    const sql = `
      SELECT min(settlement_id) AS settlement_id, min(fill_id) AS fill_id FROM trading.settlement
      WHERE state = 'confirmed' AND kind = 'trade_settlement' AND market_id = '${DAY_MARKETS[0]}'
      GROUP BY account_id, outcome_id, side, quantity, notional, fee HAVING count(*) = 1
      ORDER BY quantity, notional, account_id, outcome_id, side LIMIT ${count}`
    const record = await openRailRecord(this.#day.rail)
    for (const { settlement_id, fill_id } of await this.#rows<{ settlement_id: string; fill_id: string }>(sql)) {
      await record.takeBack(settlement_id)
      this.reversed += 1
      const because = {
        reason_code: 'RAIL_REVERSAL',
        rationale: 'taken back',
        evidence: ['case:1'],
        approved_by: APPROVER,
      }
      const reversal_id = `rev_day_${this.reversed}`
      await this.#operate({ kind: 'reverse_settlement', reversal_id, settlement_id, ...because })
      const deltas = { quantity_delta: null, notional_delta: null, fee_delta: null, supersedes_adjustment_id: null }
      const adjustment = { adjustment_id: `adj_day_${this.reversed}`, fill_id, adjustment_type: 'bust' } as const
      await this.#operate({ kind: 'adjust_fill', ...adjustment, ...deltas, ...because })
    }
  }

  async #propose({ kind: _, payouts, window_ms, market_id, ...facts }: Step<'propose'>): Promise<void> {
    await this.#operate({
      kind: 'propose_resolution',
      ...facts,
      market_id,
      payouts: payoutsOf(market_id, payouts),
      evidence: [],
      resolver: { kind: 'operator', resolver_id: OPERATOR },
      dispute_window_ms: window_ms,
    })
  }

  async #dispute({ resolution_id, upheld }: Step<'dispute'>): Promise<void> {
    const dispute = { resolution_id, dispute_id: `dsp_${resolution_id}` }
    await this.#operate({ kind: 'dispute_resolution', ...dispute, filer: DAY_ACCOUNTS[1], basis: 'counted wrong' })
    await this.#operate({ kind: 'decide_dispute', ...dispute, upheld, decision: 'counted again' })
  }

  async #withdraw({ account_id }: Step<'withdraw'>): Promise<void> {
    const sql = `
      SELECT total - reserved - withdrawal_hold - pending_settlement_debit AS available FROM trading.balance
      WHERE account_id = '${account_id}' AND asset_id = '${ASSET}'`
    const [balance] = await this.#rows<{ available: number }>(sql)
    if (balance === undefined || balance.available === 0) return
    const units = String(balance.available).padStart(7, '0')
    const amount = `${units.slice(0, -6)}.${units.slice(-6)}`
    await this.#operate({
      kind: 'withdraw',
      transfer_id: `xfer_day_${account_id}`,
      account_id,
      asset_id: ASSET,
      amount,
    })
  }

  async #correct({ resolution_id, supersedes_id, payouts }: Step<'correct'>): Promise<void> {
    await this.#operate({
      kind: 'correct_resolution',
      resolution_id,
      supersedes_id,
      payouts: payoutsOf(DAY_MARKETS[0], payouts),
      evidence: [],
      resolver: { kind: 'operator', resolver_id: OPERATOR },
      correction_reason: 'the source has corrected itself',
      approved_by: APPROVER,
    })
  }

  async #operate(command: OperatorCommand): Promise<void> {
    this.#acts += 1
    const refusal = await this.client.operate(`act_day_${this.#acts}`, OPERATOR, command)
    invariant(refusal === null, `${command.kind} is done: ${refusal?.message}`)
  }

  /** While the database is away nobody knows; then it is asked again. */
  async #until(holds: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS
    while (!(await holds().catch(() => false))) {
      invariant(performance.now() < end, `the day goes on within ${PATIENCE_MS} ms`)
      await sleep(LOOK_MS)
    }
  }

  async #rows<T extends object>(sql: string): Promise<readonly T[]> {
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      try {
        return (await this.#day.pool.query<T>(sql)).rows
      } catch (error) {
        if (performance.now() > end) throw error
        await sleep(LOOK_MS)
      }
    }
  }
}

function payoutsOf(market_id: string, payouts: readonly [string, string]) {
  return outcomesOf(market_id).map((outcome_id, place) => ({ outcome_id, payout: payouts[place]! }))
}

import { expect } from 'vitest'
import { fromScaled } from '../../../primitives/scaled.ts'
import { shownOrder } from '../../../trading/engine/answers.ts'
import type { OutcomePayout, PaidResolution } from '../../../trading/engine/settlement-commands.ts'
import { balanceResource } from '../../../trading/projections/balance.ts'
import { balanceRow, positionRow } from '../../../trading/projections/current-rows.ts'
import { fillResource } from '../../../trading/projections/fill.ts'
import { positionResource } from '../../../trading/projections/position.ts'
import type { FillRow } from '../../../trading/projections/rows.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'
import { POLICY, SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from './check-invariants.ts'
import { type Example, outcomeName, outcomeOf, readOrder } from './examples.ts'
import { MemoryEngine } from './memory-engine.ts'

const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const
/** The pool of the market. */
const POOL = 'acct_house_pool_mkt_1'
const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const

/** An example under way in the engine; the promises hold after every step. */
export class Played {
  readonly engine = new MemoryEngine()
  readonly #maker = new SubmissionMaker()
  readonly #orders = new Map<string, string>()
  #revisions = 1

  constructor({ taker_rate = '0.02', maker_rate = '0', shorting_permitted = 'true' }: Example, complementary = false) {
    const terms = { shorting_permitted: shorting_permitted === 'true', ...(complementary && { complementary }) }
    this.engine.submit(...this.#maker.setUp(ACCOUNTS, '1000', terms))
    this.#setFees([taker_rate, maker_rate])
  }

  step(text: string): void {
    this.#take(text)
    checkEngine(this.engine)
  }

  balance(account_id: string) {
    const row = balanceRow(this.engine.state.accounts.get(account_id)!.balances.get('asset_usd')!, this.engine.state)
    return balanceResource(row, { asset_scale: 6, as_of: this.engine.now })
  }

  /** @param name an account, and an outcome: YES where none is named */
  position(name: string) {
    const [account_id, outcome] = name.split(' ')
    const outcome_id = outcomeOf(outcome)
    const position = this.engine.state.accounts.get(account_id!)!.positions.get(outcome_id)!
    const { mark } = this.#market().outcomes.get(outcome_id)!
    const about = { mark, mark_observation_id: null, pending_settlement_ids: [] }
    const facts = { terms: position.terms, ...about, as_of: this.engine.now }
    return positionResource(positionRow(position), facts)
  }

  order(name: string) {
    const row = this.engine.rows('orders').find(({ order_id }) => order_id === this.#orders.get(name))
    return shownOrder(this.engine.state, row!)
  }

  fees(account_id: string): string {
    const links = { terms: this.#market().terms, settlement_state: 'pending', adjustment_ids: [] }
    return this.#fills(account_id)
      .map((fill) => fillResource(fill, links).fee.amount)
      .join(' ')
  }

  /** Fills of a complementary market with their segments. */
  fills(account_id: string): string {
    return this.#fills(account_id).map(fillText).join(', ')
  }

  pool() {
    const row = this.engine.rows('balance').find(({ account_id }) => account_id === POOL)
    const sets = this.engine.rows('position').find(({ account_id }) => account_id === POOL)?.net_quantity ?? 0
    const { total = 0, pending_settlement_credit = 0, pending_settlement_debit = 0 } = row ?? {}
    const cash = total + pending_settlement_credit - pending_settlement_debit
    return { cash: fromScaled(BigInt(cash), 6), sets: fromScaled(BigInt(-sets), 2) }
  }

  #take(text: string): void {
    const [word, ...rest] = text.split(' ')
    if (word === 'tick') this.engine.ask({ kind: 'stamp', at: this.engine.now })
    else if (word === 'pause') this.#move('paused')
    else if (word === 'open') this.#move('open')
    else if (word === 'mark') this.#act({ kind: 'set_mark', market_id: 'mkt_1', outcome_id: 'out_yes', mark: rest[0]! })
    else if (word === 'submit') this.#submit(rest.join(' '))
    else if (word === 'confirm') this.#conclude(rest.join(' '), 'confirmed')
    else if (word === 'fail') this.#conclude(rest.join(' '), 'failed')
    else if (word === 'reverse') this.#reverse(rest.join(' '))
    else if (word === 'withdraw') this.#withdraw(rest)
    else if (word === 'resolve') this.#resolve('resolved', rest)
    else if (word === 'void') this.#resolve('voided', rest)
    else if (word === 'correct') this.#correct(rest)
    else if (word === 'pay') this.#pay(rest.slice(1).join(' '))
    else if (word === 'settle') this.#settlePayouts()
    else if (word === 'bust') this.#bust(rest)
    else if (word === 'fees') this.#setFees(rest)
    else if (word === 'limit') this.#setLimit(rest[0]!)
    else if (word === 'amend') this.#amend(rest[0]!, rest.slice(2).join(' '))
    else this.#place(text)
  }

  #place(text: string): void {
    const { name, account_id, intent, code } = readOrder(text)
    const placing = this.#maker.place(account_id, intent)
    this.#orders.set(name, placing.order.intent.order_id)
    expect(this.engine.ask(placing).error?.code).toBe(code)
  }

  #amend(old: string, text: string): void {
    const { name, account_id, intent } = readOrder(text)
    const { order_id, version } = this.order(old)
    const amending = this.#maker.amend(account_id, order_id, version, intent)
    this.#orders.set(name, amending.order.intent.order_id)
    expect(this.engine.ask(amending).error).toBeNull()
  }

  settlement(name: string) {
    const [account_id, ...rest] = name.split(' ')
    const nth = Number(rest.at(-1)) - 1
    const mine = this.engine.rows('settlement').filter((row) => row.account_id === account_id)
    if (rest[0] === 'payout') return mine.filter(({ fill_id }) => fill_id === null)[nth]!
    const { settlement_id } = this.#fills(account_id!)[nth]!
    return mine.find((row) => row.settlement_id === settlement_id)!
  }

  status(): string {
    return this.#market().status
  }

  #submit(name: string): void {
    const { settlement_id, attempt_count } = this.settlement(name)
    this.#act(submitting([settlement_id], attempt_count + 1))
  }

  /** Under a new attempt where none is under way. */
  #conclude(name: string, result: 'confirmed' | 'failed'): void {
    if (this.settlement(name).state !== 'submitted') this.#submit(name)
    const { settlement_id, attempt_count } = this.settlement(name)
    this.#act(concluding([settlement_id], result, attempt_count))
  }

  #reverse(name: string): void {
    const { settlement_id } = this.settlement(name)
    this.#act({
      kind: 'reverse_settlement',
      reversal_id: `rev_${settlement_id}`,
      settlement_id,
      reason_code: 'SETTLEMENT_REVERSED',
      rationale: 'an example',
      evidence: [],
      approved_by: 'second',
    })
  }

  /** Withdraws an amount, or `all` that is available. */
  #withdraw([account_id, written]: readonly string[]): void {
    const transfer_id = `tr_${this.engine.now}`
    const amount = written === 'all' ? this.balance(account_id!).available : written!
    this.#act({ kind: 'withdraw', transfer_id, account_id: account_id!, asset_id: 'asset_usd', amount })
  }

  #setFees([taker_rate, maker_rate]: readonly string[]): void {
    const rates = { taker_rate: taker_rate!, maker_rate: maker_rate! }
    this.#act({ kind: 'set_fees', schedule_id: 'fee_1', ...rates, market_ids: ['mkt_1'] })
  }

  #setLimit(position_limit: string): void {
    const policy = { ...POLICY, policy_version: 2, position_limit }
    for (const account_id of ACCOUNTS) this.#act({ kind: 'set_policy', account_id, policy })
  }

  #resolve(verdict: 'resolved' | 'voided', payouts: readonly string[]): void {
    this.#act({
      kind: 'propose_resolution',
      resolution_id: 'res_1',
      market_id: 'mkt_1',
      verdict,
      payouts: payoutsOf(payouts),
      ...RESOLVING,
      dispute_window_ms: 0,
    })
    this.#act({ kind: 'finalize_resolution', resolution_id: 'res_1' })
  }

  #correct(payouts: readonly string[]): void {
    this.#revisions += 1
    this.#act({
      kind: 'correct_resolution',
      resolution_id: `res_${this.#revisions}`,
      supersedes_id: `res_${this.#revisions - 1}`,
      payouts: payoutsOf(payouts),
      ...RESOLVING,
      correction_reason: 'an example',
      approved_by: 'second',
    })
  }

  /** `pay`, or `pay -> paid waiting done`. */
  #pay(told: string): void {
    const resolution_id = `res_${this.#revisions}`
    const { data } = this.engine.ask<PaidResolution>(
      this.#maker.operate({ kind: 'pay_resolution', resolution_id, limit: 100 }),
    )
    const { paid, waiting, done } = data
    if (told !== '') expect(`${paid} ${waiting} ${done}`).toBe(told)
  }

  #settlePayouts(): void {
    for (const { settlement_id, fill_id, state } of this.engine.rows('settlement')) {
      if (fill_id !== null || state !== 'pending') continue
      this.#act(submitting([settlement_id]))
      this.#act(concluding([settlement_id]))
    }
  }

  #bust([account_id, nth]: readonly string[]): void {
    const { fill_id } = this.#fills(account_id!)[Number(nth) - 1]!
    this.#act(bustCommand(fill_id))
  }

  #move(to: 'paused' | 'open'): void {
    this.#act({ kind: 'move_market', market_id: 'mkt_1', to })
  }

  #act(command: Parameters<SubmissionMaker['operate']>[0]): void {
    expect(this.engine.ask(this.#maker.operate(command)).error).toBeNull()
  }

  #fills(account_id: string) {
    return this.engine.rows('fill').filter((fill) => fill.account_id === account_id)
  }

  #market() {
    return this.engine.state.markets.get('mkt_1')!
  }
}

/** Returns payouts of out_yes and out_no; an empty list leaves the split to the engine. */
function payoutsOf([yes, no]: readonly string[]): OutcomePayout[] {
  if (yes === undefined) return []
  return [
    { outcome_id: 'out_yes', payout: yes },
    { outcome_id: 'out_no', payout: no! },
  ]
}

type Segmented = FillRow & {
  readonly segments: readonly { match_kind: string; outcome_id: string | null; quantity: number }[]
}

function fillText(row: FillRow): string {
  const { side, outcome_id, quantity, price, fee, segments } = row as Segmented
  const parts = segments.map((segment) => {
    const passes = segment.outcome_id === null ? [] : [outcomeName(segment.outcome_id)]
    return [segment.match_kind, ...passes, fromScaled(BigInt(segment.quantity), 2)].join(' ')
  })
  const [at, size, paid] = [fromScaled(BigInt(price), 2), fromScaled(BigInt(quantity), 2), fromScaled(BigInt(fee), 6)]
  return [side, outcomeName(outcome_id), size, '@', at, 'fee', paid, ...parts].join(' ')
}

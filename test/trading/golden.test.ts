import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { shownOrder } from '../../trading/engine/answers.ts'
import type { OutcomePayout, PaidResolution } from '../../trading/engine/settlement-commands.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { balanceResource } from '../../trading/projections/balance.ts'
import { balanceRow, positionRow } from '../../trading/projections/current-rows.ts'
import { fillResource } from '../../trading/projections/fill.ts'
import { positionResource } from '../../trading/projections/position.ts'
import { concluding, submitting } from '../support/trading/settling.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { checkEngine } from './support/check-invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

type Fields = Readonly<Record<string, string>>
type Example = {
  readonly name: string
  readonly taker_rate?: string
  readonly maker_rate?: string
  readonly steps: readonly string[]
  readonly balances?: Readonly<Record<string, Fields>>
  readonly positions?: Readonly<Record<string, Fields>>
  readonly orders?: Readonly<Record<string, Fields>>
  readonly fees?: Fields
  /** By account and number: of its fill, or of its payout (`acct_a payout 1`). */
  readonly settlements?: Readonly<Record<string, Fields>>
  readonly market?: string
}

const FLAGS: Readonly<Record<string, Partial<OrderIntent>>> = {
  FOK: { time_in_force: 'FOK' },
  FAK: { time_in_force: 'FAK' },
  post_only: { post_only: true },
  reduce_only: { reduce_only: true },
  cancel_on_pause: { cancel_on_pause: true },
  cancel_taker: { self_trade_prevention: 'cancel_taker' },
  cancel_maker: { self_trade_prevention: 'cancel_maker' },
  cancel_both: { self_trade_prevention: 'cancel_both' },
}
const RESOLVING = { evidence: [], resolver: { kind: 'operator', resolver_id: null } } as const
const ORDER = /^(\w+) = (\w+) (BUY|SELL) ([\d.]+) @ ([\d.]+)((?: \w+)*?)(?: !! (\w+))?$/

// Every scalar is a text: a decimal is compared digit by digit.
const examples = parse(readFileSync(join(import.meta.dirname, 'golden/money.yaml'), 'utf8'), {
  schema: 'failsafe',
}) as Example[]

test('there are at least thirty examples, each with a name of its own', () => {
  expect(examples.length).toBeGreaterThanOrEqual(30)
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length)
})

test.each(examples)('$name', (example) => {
  const played = new Played(example)
  for (const step of example.steps) played.step(step)
  for (const [account_id, fields] of Object.entries(example.balances ?? {})) {
    expect(texts(played.balance(account_id), fields)).toEqual(fields)
  }
  for (const [account_id, fields] of Object.entries(example.positions ?? {})) {
    expect(texts(played.position(account_id), fields)).toEqual(fields)
  }
  for (const [name, fields] of Object.entries(example.orders ?? {})) {
    expect(texts(played.order(name), fields)).toEqual(fields)
  }
  for (const [name, fields] of Object.entries(example.settlements ?? {})) {
    expect(texts(played.settlement(name), fields)).toEqual(fields)
  }
  if (example.market !== undefined) expect(played.status()).toBe(example.market)
  for (const [account_id, fees] of Object.entries(example.fees ?? {})) expect(played.fees(account_id)).toBe(fees)
})

/** An example under way; the promises hold after every step. */
class Played {
  readonly engine = new MemoryEngine()
  readonly #maker = new SubmissionMaker()
  readonly #orders = new Map<string, string>()
  #revisions = 1

  constructor({ taker_rate = '0.02', maker_rate = '0' }: Example) {
    this.engine.submit(...this.#maker.setUp(['acct_a', 'acct_b', 'acct_c'], '1000'))
    this.#act({ kind: 'set_fees', schedule_id: 'fee_1', taker_rate, maker_rate, market_ids: ['mkt_1'] })
  }

  step(text: string): void {
    this.#take(text)
    checkEngine(this.engine)
  }

  balance(account_id: string) {
    const row = balanceRow(this.engine.state.accounts.get(account_id)!.balances.get('asset_usd')!, this.engine.state)
    return balanceResource(row, { asset_scale: 6, as_of: this.engine.now })
  }

  position(account_id: string) {
    const position = this.engine.state.accounts.get(account_id)!.positions.get('out_yes')!
    const { mark } = this.#market().outcomes.get('out_yes')!
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

  #withdraw([account_id, amount]: readonly string[]): void {
    const transfer_id = `tr_${this.engine.now}`
    this.#act({ kind: 'withdraw', transfer_id, account_id: account_id!, asset_id: 'asset_usd', amount: amount! })
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
    this.#act({
      kind: 'adjust_fill',
      adjustment_id: `adj_${fill_id}`,
      fill_id,
      adjustment_type: 'bust',
      quantity_delta: null,
      notional_delta: null,
      fee_delta: null,
      reason_code: 'ERRONEOUS_TRADE',
      rationale: 'an example',
      evidence: [],
      approved_by: 'second',
      supersedes_adjustment_id: null,
    })
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

function readOrder(text: string) {
  const [, name, account_id, side, quantity, limit_price, flags, code] = ORDER.exec(text) ?? []
  if (name === undefined) throw new Error(`no step of an example: ${text}`)
  const marked = flags!.trim().split(' ').filter(Boolean)
  const intent: Partial<OrderIntent> = {
    side: side as 'BUY' | 'SELL',
    quantity: quantity!,
    limit_price: limit_price!,
    ...Object.assign({}, ...marked.map((flag) => FLAGS[flag])),
  }
  return { name, account_id: account_id!, intent, code }
}

/** Those of the resource's fields that are expected, as texts. */
function texts(resource: object, fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, String((resource as Record<string, unknown>)[key])]))
}

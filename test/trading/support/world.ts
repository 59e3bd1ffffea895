import { advanceClock } from '../../../trading/engine/advance-clock.ts'
import { apply } from '../../../trading/engine/apply.ts'
import { carryOutSettling } from '../../../trading/engine/carry-out-settling.ts'
import { type Changes, noChanges } from '../../../trading/engine/changes.ts'
import type { Command } from '../../../trading/engine/commands.ts'
import type { EngineEvent, FillEvent } from '../../../trading/engine/events.ts'
import { Execution } from '../../../trading/engine/execution.ts'
import { noFacts } from '../../../trading/engine/facts.ts'
import { setFees } from '../../../trading/engine/fee-commands.ts'
import { finishBatch } from '../../../trading/engine/finish-batch.ts'
import type { SettlementCommand } from '../../../trading/engine/settlement-commands.ts'
import { type EngineState, emptyState } from '../../../trading/engine/state.ts'
import type { LedgerEntry } from '../../../trading/ledger/entries.ts'
import type { AccountPolicy } from '../../../trading/order/account-policy.ts'
import type { Rejection } from '../../../trading/order/order-errors.ts'
import type { OrderIntent, OrderOrigin } from '../../../trading/order/order-intent.ts'
import { changedRows } from '../../../trading/projections/changed-rows.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

const ACT = { actor: 'tester', reason: 'test' }

export const OPEN_POLICY: AccountPolicy = {
  policy_id: 'pol_open',
  policy_version: 1,
  self_trade_prevention: 'cancel_taker',
  reduce_only_crossing: 'cap',
  position_limit: null,
  price_band: null,
}

/** Origin of orders whose signature does not matter. */
export const ORIGIN: OrderOrigin = {
  command_id: 'cmd_1',
  request_id: 'req_1',
  signature: {
    signer: '0x1a642f0e3c3af545e7acbd38b07251b3990914f1',
    order_nonce: '1',
    signature_type: 'eoa',
    signature_version: '1',
    order_signature: '0x',
    digest: '0x',
    contract_call: null,
  },
  labels: null,
}

export type WorldOptions = {
  readonly taker_rate?: string
  readonly maker_rate?: string
  readonly price_increment?: string
  readonly quantity_increment?: string
  readonly shorting_permitted?: boolean
  readonly accounts?: readonly string[]
  readonly deposit?: string
  readonly policy?: Partial<AccountPolicy>
}

/** An engine with one open market of two outcomes and funded accounts; commands are applied a second apart. */
export class TradingWorld {
  readonly state: EngineState = emptyState()
  readonly changes = { events: [] as EngineEvent[], entries: [] as LedgerEntry[] }
  readonly facts = noFacts()
  now = 1_700_000_000_000_000
  #orders = 0

  constructor(options: WorldOptions = {}) {
    const { taker_rate = '0.02', maker_rate = '0', price_increment = '0.01', quantity_increment = '0.01' } = options
    const { shorting_permitted = true, accounts = ['acct_a', 'acct_b'], deposit = '1000', policy = {} } = options
    this.run({ kind: 'add_asset', asset_id: 'asset_usd', scale: 6, ...ACT })
    this.run({
      kind: 'add_market',
      market_id: 'mkt_1',
      outcome_ids: ['out_yes', 'out_no'],
      terms: {
        price_min: price_increment,
        price_max: complement(price_increment),
        price_increment,
        quantity_increment,
        minimum_quantity: quantity_increment,
        settlement_asset_id: 'asset_usd',
        shorting_permitted,
      },
      fees: { schedule_id: 'fee_1', schedule_version: 1, taker_rate, maker_rate },
      ...ACT,
    })
    this.move('open')
    for (const account_id of accounts) {
      this.run({ kind: 'add_account', account_id, policy: { ...OPEN_POLICY, ...policy }, ...ACT })
      if (deposit !== '0') this.deposit(account_id, deposit)
    }
  }

  run(command: Command): Rejection | null {
    return this.#batch((batch) => apply(this.state, command, this.now, batch).rejection)
  }

  #batch<T>(step: (batch: Changes) => T): T {
    this.now += 1_000_000
    const batch = noChanges()
    const result = step(batch)
    finishBatch(this.state, this.now, batch)
    this.changes.events.push(...batch.events)
    this.changes.entries.push(...batch.entries)
    for (const row of changedRows(this.state, batch).settlement) this.facts.settlements.set(row.settlement_id, row)
    return result
  }

  move(to: 'open' | 'paused' | 'closed'): void {
    this.run({ kind: 'move_market', market_id: 'mkt_1', to, ...ACT })
  }

  deposit(account_id: string, amount: string): void {
    this.run({ kind: 'deposit', transfer_id: 'tr_1', account_id, asset_id: 'asset_usd', amount, ...ACT })
  }

  withdraw(account_id: string, amount: string): void {
    this.run({ kind: 'withdraw', transfer_id: 'tr_2', account_id, asset_id: 'asset_usd', amount, ...ACT })
  }

  /** Puts the next version of the fees in force; working orders keep theirs. */
  setFees(taker_rate: string, maker_rate: string): void {
    const fees = { kind: 'set_fees', schedule_id: 'fee_1', taker_rate, maker_rate, market_ids: ['mkt_1'] } as const
    this.#batch((batch) => {
      const execution = new Execution(this.state, this.now, batch)
      advanceClock(execution)
      return setFees(execution, fees)
    })
  }

  setPolicy(account_id: string, rules: Partial<AccountPolicy>): void {
    const { policy } = this.state.accounts.get(account_id)!
    const next = { ...policy, ...rules, policy_version: policy.policy_version + 1 }
    this.run({ kind: 'set_policy', account_id, policy: next, ...ACT })
  }

  intent(
    account_id: string,
    side: 'BUY' | 'SELL',
    quantity: string,
    limit_price: string,
    extra: Partial<OrderIntent> = {},
  ) {
    this.#orders += 1
    const intent: OrderIntent = {
      order_id: `ord_${this.#orders}`,
      client_order_id: `c${this.#orders}`,
      account_id,
      market_id: 'mkt_1',
      outcome_id: 'out_yes',
      side,
      limit_price,
      quantity,
      time_in_force: 'GTC',
      expires_at: null,
      post_only: false,
      reduce_only: false,
      cancel_on_pause: false,
      self_trade_prevention: 'cancel_taker',
      maximum_fee: '1000000',
      maximum_notional: '1000000',
      settlement_asset_id: 'asset_usd',
      ...extra,
    }
    return intent
  }

  /** Places an order. @returns its id, and the rejection where there is one */
  place(...order: Parameters<TradingWorld['intent']>): { order_id: string; rejection: Rejection | null } {
    const intent = this.intent(...order)
    return { order_id: intent.order_id, rejection: this.run({ kind: 'place_order', intent, origin: ORIGIN }) }
  }

  /** Carries out a command of settlement or resolution. @throws {ServiceError} where it is refused */
  settle(command: SettlementCommand): object {
    return this.#batch((batch) => {
      const execution = new Execution(this.state, this.now, batch)
      advanceClock(execution)
      return carryOutSettling(execution, this.facts, command, ACT)
    })
  }

  /** One attempt for one side of a fill, from its beginning to its end. */
  conclude({ settlement_id }: FillEvent, result: 'confirmed' | 'failed' = 'confirmed'): void {
    const number = this.facts.settlements.get(settlement_id)!.attempt_count + 1
    this.settle(submitting([settlement_id], number))
    this.settle(concluding([settlement_id], result, number))
  }

  /** The rail takes a confirmation back. */
  reverse({ settlement_id }: FillEvent): void {
    this.settle({
      kind: 'reverse_settlement',
      reversal_id: `rev_${settlement_id}`,
      settlement_id,
      reason_code: 'SETTLEMENT_REVERSED',
      rationale: 'test',
      evidence: [],
      approved_by: 'second',
    })
  }

  /** The market's end, as far as it may be paid. */
  resolve(yes: string, no: string): void {
    const payouts = [
      { outcome_id: 'out_yes', payout: yes },
      { outcome_id: 'out_no', payout: no },
    ]
    const resolution = { resolution_id: 'res_1', market_id: 'mkt_1', verdict: 'resolved', payouts } as const
    const resolver = { kind: 'operator', resolver_id: null }
    this.settle({ kind: 'propose_resolution', ...resolution, evidence: [], resolver, dispute_window_ms: 0 })
    this.settle({ kind: 'finalize_resolution', resolution_id: 'res_1' })
    this.settle({ kind: 'pay_resolution', resolution_id: 'res_1', limit: 100 })
  }

  events<K extends EngineEvent['kind']>(kind: K): Extract<EngineEvent, { kind: K }>[] {
    return this.changes.events.filter((event) => event.kind === kind) as Extract<EngineEvent, { kind: K }>[]
  }

  fills(account_id: string): FillEvent[] {
    return this.events('fill').filter((fill) => fill.account_id === account_id)
  }

  balance(account_id: string) {
    return this.state.accounts.get(account_id)!.balances.get('asset_usd')!
  }

  position(account_id: string, outcome_id = 'out_yes') {
    return this.state.accounts.get(account_id)!.positions.get(outcome_id)!
  }

  /** The last thing told of an order. */
  order(order_id: string) {
    return this.events('order').findLast((event) => event.order_id === order_id)!
  }
}

/** 1 - increment, digit by digit: "0.99" of "0.01". */
function complement(increment: string): string {
  const scale = increment.split('.')[1]!.length
  return (1 - Number(increment)).toFixed(scale)
}

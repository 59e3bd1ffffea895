import type { Order } from '../../../protocol/resources/order.ts'
import { applySubmission } from '../../../trading/engine/apply-submission.ts'
import { noChanges } from '../../../trading/engine/changes.ts'
import type { TradeCorrectionEvent } from '../../../trading/engine/events.ts'
import {
  addOrderFact,
  type Facts,
  noFacts,
  type PaidBefore,
  positionKey,
  type TradeFacts,
} from '../../../trading/engine/facts.ts'
import { finishBatch } from '../../../trading/engine/finish-batch.ts'
import { needsOf } from '../../../trading/engine/needs-of.ts'
import { rebuildState } from '../../../trading/engine/rebuild-state.ts'
import { type EngineState, emptyState } from '../../../trading/engine/state.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import { changedRows } from '../../../trading/projections/changed-rows.ts'
import type { ChangedRows, StateRows } from '../../../trading/projections/rows.ts'

type Table = keyof ChangedRows
type Row<T extends Table> = ChangedRows[T][number]

/** The columns that a row replaces another one by; append-only tables have their own. */
const KEYS: { readonly [T in Table]: readonly string[] } = {
  engine_event: ['engine_sequence'],
  operator_act: ['act_id'],
  operator_key: ['operator_key_id'],
  asset: ['asset_id'],
  account: ['account_id'],
  account_policy: ['account_id', 'policy_id', 'policy_version'],
  fee_schedule: ['schedule_id', 'schedule_version'],
  market: ['market_id'],
  market_outcome: ['outcome_id'],
  orders: ['order_id'],
  mass_cancel: ['cancel_id'],
  trade: ['trade_id'],
  fill: ['fill_id'],
  prevented_match: ['prevented_match_id'],
  ledger_entry: ['ledger_sequence', 'line'],
  balance: ['account_id', 'asset_id'],
  position: ['account_id', 'outcome_id'],
  settlement: ['settlement_id'],
  settlement_attempt: ['attempt_id'],
  settlement_transition: ['engine_sequence'],
  settlement_reversal: ['reversal_id'],
  resolution: ['resolution_id'],
  resolution_payout: ['resolution_id', 'account_id', 'outcome_id'],
  outcome_mark: ['outcome_id', 'at'],
  adjustment: ['adjustment_id'],
  transfer: ['transfer_id'],
  market_maker_protection: ['account_id', 'market_id'],
  webhook: ['webhook_id'],
  api_key: ['key_id'],
  api_key_audit: ['audit_id'],
  signer_authorization: ['account_id', 'owner', 'nonce'],
  request_nonce: ['key_id', 'nonce'],
  idempotent_answer: ['account_id', 'method', 'path', 'idempotency_key'],
  order_nonce: ['account_id', 'signer', 'nonce'],
}
/** Rows of these are replaced; of all others a second one of a key is a bug. */
const CURRENT: readonly Table[] = [
  'account',
  'market',
  'market_outcome',
  'orders',
  'mass_cancel',
  'balance',
  'position',
  'settlement',
  'settlement_attempt',
  'resolution',
  'api_key',
  'operator_key',
  'transfer',
  'market_maker_protection',
  'webhook',
]
const WORKING = ['open', 'partially_filled', 'suspended']
const SECOND = 1_000_000

/** The engine with its tables in memory, through JSON: what a database would give back is what was written. */
export class MemoryEngine {
  state: EngineState = emptyState()
  now = 1_700_000_000 * SECOND
  readonly #tables = new Map<Table, Map<string, unknown>>()

  /** One batch. */
  submit(...submissions: readonly Submission[]): Answer[] {
    this.now += SECOND
    const facts = this.#facts(submissions)
    const changes = noChanges()
    const answers = submissions.map((submission) => applySubmission(this.state, submission, facts, this.now, changes))
    finishBatch(this.state, this.now, changes)
    this.#write(changedRows(this.state, changes))
    return answers
  }

  /** A batch of one. @returns the answer with its data read: of the kind that the caller expects, null where there is none */
  ask<D = Order>(submission: Submission) {
    const [answer] = this.submit(submission)
    const { data, ...rest } = answer!
    return { ...rest, data: JSON.parse(data ?? 'null') as D }
  }

  rows<T extends Table>(table: T): Row<T>[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as Row<T>[]
  }

  /** The engine as it would be after a restart. */
  rebuilt(): EngineState {
    const working = this.rows('orders').filter(({ status }) => WORKING.includes(status))
    const orders = working.sort((a, b) => a.accepted_sequence - b.accepted_sequence)
    const last_batch = {
      batch_sequence: 1,
      epoch: 1,
      at: this.state.clock,
      last_engine_sequence: this.state.engine_sequence,
      last_ledger_sequence: this.state.ledger_sequence,
      previous_hash: '',
      hash: '',
    }
    const tables = [
      'asset',
      'account',
      'fee_schedule',
      'market',
      'market_outcome',
      'balance',
      'position',
      'api_key',
      'signer_authorization',
    ] as const
    const rows = Object.fromEntries(tables.map((table) => [table, this.rows(table)]))
    const mass_cancel = this.rows('mass_cancel').filter(({ is_done }) => !is_done)
    const market_maker_protection = this.rows('market_maker_protection').filter(({ is_active }) => is_active)
    const rebuild = rebuildState({ ...rows, mass_cancel, market_maker_protection, last_batch } as unknown as StateRows)
    for (const order of orders) rebuild.addOrder(order)
    return rebuild.finish()
  }

  #write(rows: ChangedRows): void {
    for (const table of Object.keys(KEYS) as Table[]) {
      const known = this.#tables.get(table) ?? new Map<string, unknown>()
      this.#tables.set(table, known)
      const written = new Set<string>()
      for (const row of JSON.parse(JSON.stringify(rows[table])) as Record<string, unknown>[]) {
        const key = KEYS[table].map((column) => row[column]).join(' ')
        if (written.has(key) || (known.has(key) && !CURRENT.includes(table)))
          throw new Error(`${table} ${key} is written twice`)
        written.add(key)
        known.set(key, row)
      }
    }
  }

  #facts(submissions: readonly Submission[]): Facts {
    const facts = noFacts()
    const needs = needsOf(...submissions)
    this.#replayFacts(facts, needs)
    for (const row of this.rows('operator_key')) facts.operator_keys.set(row.operator_key_id, row)
    const fills = this.rows('fill').filter(({ fill_id }) => needs.fill_ids.includes(fill_id))
    for (const fill of fills) facts.fills.set(fill.fill_id, fill)
    for (const { trade_id } of fills) facts.trades.set(trade_id, this.#trade(trade_id))
    const isNamed = ({ account_id, client_order_id }: Row<'orders'>) =>
      needs.named_client_ids.some((name) => name.account_id === account_id && name.client_order_id === client_order_id)
    const orders = [...needs.order_ids, ...fills.map(({ order_id }) => order_id)]
    for (const row of this.rows('orders')) if (orders.includes(row.order_id) || isNamed(row)) addOrderFact(facts, row)
    this.#settlingFacts(facts, needs)
    for (const row of this.rows('transfer')) {
      const is_named = needs.transfer_ids.includes(row.transfer_id)
      if (is_named || needs.transfer_account_ids.includes(row.account_id)) facts.transfers.set(row.transfer_id, row)
    }
    for (const row of this.rows('webhook')) {
      const is_named = needs.webhook_ids.includes(row.webhook_id)
      if (is_named || needs.webhook_account_ids.includes(row.account_id)) facts.webhooks.set(row.webhook_id, row)
    }
    for (const row of this.rows('settlement')) {
      if (needs.settlement_ids.includes(row.settlement_id) || needs.fill_ids.includes(row.fill_id ?? '')) {
        facts.settlements.set(row.settlement_id, row)
      }
    }
    for (const row of this.rows('adjustment')) {
      if (needs.fill_ids.includes(row.fill_id)) {
        facts.adjustments.set(row.fill_id, [...(facts.adjustments.get(row.fill_id) ?? []), row])
      }
    }
    return facts
  }

  #trade(trade_id: string): TradeFacts {
    const trade = this.rows('trade').find((row) => row.trade_id === trade_id)!
    const sides = this.rows('fill')
      .filter((fill) => fill.trade_id === trade_id)
      .map(({ fill_id, outcome_id, quantity, notional }) => {
        const adjustments = this.rows('adjustment').filter((row) => row.fill_id === fill_id)
        return {
          fill_id,
          outcome_id,
          quantity: adjustments.reduce((sum, row) => sum + row.quantity_delta, quantity),
          notional: adjustments.reduce((sum, row) => sum + row.notional_delta, notional),
        }
      })
    const last = this.rows('engine_event')
      .filter(({ kind }) => kind === 'trade_correction')
      .map(({ body }) => body as TradeCorrectionEvent)
      .findLast((correction) => correction.trade_id === trade_id)
    const stated = last === undefined ? null : { ...last, quantity: last.correction === 'void' ? 0 : last.quantity }
    return { ...trade, aggressor_side: trade.aggressor_side as TradeFacts['aggressor_side'], sides, stated }
  }

  #settlingFacts(facts: Facts, needs: ReturnType<typeof needsOf>): void {
    for (const row of this.rows('settlement_attempt')) {
      if (needs.attempt_ids.includes(row.attempt_id)) facts.attempts.set(row.attempt_id, row)
    }
    for (const { reversal_id } of this.rows('settlement_reversal')) {
      if (needs.reversal_ids.includes(reversal_id)) facts.reversal_ids.add(reversal_id)
    }
    const resolutions = this.rows('resolution')
    const named = resolutions.filter(({ resolution_id }) => needs.resolution_ids.includes(resolution_id))
    const market_ids = [...needs.market_ids, ...named.map(({ market_id }) => market_id)]
    for (const row of resolutions) if (market_ids.includes(row.market_id)) facts.resolutions.set(row.resolution_id, row)
    for (const { account_id, outcome_id } of facts.fills.values()) {
      const paid = this.rows('resolution_payout').some(
        (row) => row.account_id === account_id && row.outcome_id === outcome_id,
      )
      if (paid) facts.paid_positions.add(positionKey(account_id, outcome_id))
    }
    for (const asked of needs.paid_before) this.#paidBefore(facts, asked)
  }

  #paidBefore(facts: Facts, { resolution_id, limit }: { resolution_id: string; limit: number }): void {
    const resolution = this.rows('resolution').find((row) => row.resolution_id === resolution_id)
    const positions = new Map<string, PaidBefore>()
    const rows = this.rows('resolution_payout').filter(({ market_id }) => market_id === resolution?.market_id)
    for (const { account_id, outcome_id, net_quantity, amount } of rows) {
      const key = positionKey(account_id, outcome_id)
      const sum = (positions.get(key)?.amount ?? 0) + amount
      positions.set(key, { account_id, outcome_id, net_quantity, amount: sum })
    }
    for (const row of rows) {
      if (row.resolution_id === resolution_id) positions.delete(positionKey(row.account_id, row.outcome_id))
    }
    const found = [...positions].slice(0, limit + 1)
    facts.paid_before.set(resolution_id, { positions: new Map(found), is_whole: found.length <= limit })
  }

  #replayFacts(facts: Facts, needs: ReturnType<typeof needsOf>): void {
    const has = (table: Table, key: string) => this.#tables.get(table)?.has(key) === true
    for (const { key_id, nonce } of needs.request_nonces) {
      if (has('request_nonce', `${key_id} ${nonce}`)) facts.request_nonces.add(`${key_id} ${nonce}`)
    }
    for (const { account_id, signer, nonce } of needs.order_nonces) {
      const key = `${account_id} ${signer} ${nonce}`
      if (has('order_nonce', key)) facts.order_nonces.add(key)
    }
    for (const { account_id, owner, nonce } of needs.authorization_nonces) {
      const key = `${account_id} ${owner} ${nonce}`
      if (has('signer_authorization', key)) facts.authorization_nonces.add(key)
    }
    for (const act_id of needs.act_ids) {
      const act = this.#tables.get('operator_act')?.get(act_id) as Row<'operator_act'> | undefined
      if (act !== undefined) facts.act_ids.set(act_id, act.command_hash)
    }
    for (const { account_id, client_order_id } of needs.client_order_ids) {
      const used = this.rows('orders').find(
        (row) => row.account_id === account_id && row.client_order_id === client_order_id && row.status !== 'rejected',
      )
      if (used !== undefined) facts.client_order_ids.set(`${account_id} ${client_order_id}`, used.order_id)
    }
    for (const { account_id, method, path, idempotency_key } of needs.answers) {
      const key = `${account_id} ${method} ${path} ${idempotency_key}`
      const row = this.#tables.get('idempotent_answer')?.get(key) as Row<'idempotent_answer'> | undefined
      if (row === undefined) continue
      const { body_hash, status, data, location } = row
      facts.answers.set(key, { body_hash, answer: { status, data, location, error: row.error as Answer['error'] } })
    }
  }
}

import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { addOrderFact, type Facts, noFacts, type PaidBefore, positionKey, type TradeFacts } from '../engine/facts.ts'
import type { Needs } from '../engine/needs-of.ts'
import type {
  AdjustmentRow,
  AttemptRow,
  FillRow,
  OperatorKeyRow,
  OrderRow,
  ResolutionRow,
  ReversalRow,
  SettlementRow,
  TransferRow,
  WebhookRow,
} from '../projections/rows.ts'
import { binaryArrays } from './binary-rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { prepared } from './read-sql.ts'

/** Days for which a client_order_id stays taken after its order has ended. */
const CLIENT_ID_KEPT_DAYS = 7

const KEYS = prepared('find_replay_keys')
const ORDERS = prepared('find_orders')
const FILLS = prepared('find_fills')
const TRADES = prepared('find_trades')
const SETTLEMENTS = prepared('find_settlements')
const OPERATOR_KEYS = prepared('find_operator_keys')
const ADJUSTMENTS = prepared('find_adjustments')
const ATTEMPTS = prepared('find_attempts')
const REVERSALS = prepared('find_reversals')
const RESOLUTIONS = prepared('find_resolutions')
const PAID_BEFORE = prepared('find_paid_before')
const TRANSFERS = prepared('find_transfers')
const WEBHOOKS = prepared('find_webhooks')
const PAID_POSITIONS = prepared('find_paid_positions')
/** Largest number of positions per payment of a correction, whatever limit is requested. */
const PAID_BEFORE_MAX = 10_000

/** Key parts by kind, in the order of the query's parameters. */
const KEY_ARRAYS = [
  ['key_id', 'nonce'],
  ['account_id', 'method', 'path', 'idempotency_key'],
  ['account_id', 'signer', 'nonce'],
  ['account_id', 'owner', 'nonce'],
  ['account_id', 'client_order_id'],
].map((parts) => binaryArrays(parts.map((column_name) => ({ column_name, udt_name: 'text' }))))

type Client = EngineConnection['client']

type KnownKey = {
  readonly kind: 'request_nonce' | 'answer' | 'order_nonce' | 'authorization_nonce' | 'client_order_id' | 'act'
  readonly key: readonly string[]
  readonly body_hash: string
  readonly status: number
  readonly data: string | null
  readonly error: never
  readonly location: string | null
}

/**
 * Loads the keys and records that a batch names. One query by index for the keys, and one per kind of named
 * record, all sent at once.
 * @param now the engine's clock
 */
export async function loadFacts({ client }: EngineConnection, needs: Needs, now: Micros): Promise<Facts> {
  const facts = noFacts()
  await Promise.all([
    loadKeys(client, needs, now, facts),
    loadRecords(client, needs, facts),
    loadTransfers(client, needs, now, facts),
    loadWebhooks(client, needs, facts),
  ])
  return facts
}

async function loadTransfers(client: Client, needs: Needs, now: Micros, facts: Facts): Promise<void> {
  const { transfer_ids, transfer_account_ids } = needs
  if (transfer_ids.length === 0 && transfer_account_ids.length === 0) return
  const values = [transfer_ids, transfer_account_ids, formatMicros(now - MICROS_PER_DAY)]
  const { rows } = await client.query<TransferRow>({ ...TRANSFERS, values })
  for (const row of rows) facts.transfers.set(row.transfer_id, row)
}

async function loadWebhooks(client: Client, needs: Needs, facts: Facts): Promise<void> {
  const { webhook_ids, webhook_account_ids } = needs
  if (webhook_ids.length === 0 && webhook_account_ids.length === 0) return
  const values = [webhook_ids, webhook_account_ids]
  const { rows } = await client.query<WebhookRow & { waiting_count: number }>({ ...WEBHOOKS, values })
  for (const { waiting_count, ...row } of rows) {
    facts.webhooks.set(row.webhook_id, row)
    facts.webhooks_waiting.set(row.webhook_id, waiting_count)
  }
}

async function loadKeys(client: Client, needs: Needs, now: Micros, facts: Facts): Promise<void> {
  const { request_nonces, answers, order_nonces, authorization_nonces, client_order_ids, act_ids } = needs
  const asked = [request_nonces, answers, order_nonces, authorization_nonces, client_order_ids]
  if (asked.every(({ length }) => length === 0) && act_ids.length === 0) return
  const released = formatMicros(now - CLIENT_ID_KEPT_DAYS * MICROS_PER_DAY)
  const values = [...asked.flatMap((keys, kind) => KEY_ARRAYS[kind]!(keys)), act_ids, released]
  const { rows } = await client.query<KnownKey>({ ...KEYS, values })
  for (const row of rows) addKey(facts, row)
}

function addKey(facts: Facts, { kind, key, body_hash, ...answer }: KnownKey): void {
  const text = key.join(' ')
  if (kind === 'answer') {
    const { status, data, error, location } = answer
    facts.answers.set(text, { body_hash, answer: { status, data, error, location } })
  } else if (kind === 'request_nonce') facts.request_nonces.add(text)
  else if (kind === 'order_nonce') facts.order_nonces.add(text)
  else if (kind === 'authorization_nonce') facts.authorization_nonces.add(text)
  else if (kind === 'client_order_id') facts.client_order_ids.set(key.slice(0, 2).join(' '), key[2]!)
  else facts.act_ids.set(text, body_hash)
}

type Statement = ReturnType<typeof prepared>

/** Sends a query if anything is requested, and passes its rows on. */
async function read<R extends object>(
  client: Client,
  statement: Statement,
  asked: readonly (readonly string[])[],
  take: (row: R) => void,
): Promise<void> {
  if (asked.every(({ length }) => length === 0)) return
  const { rows } = await client.query<R>({ ...statement, values: [...asked] })
  for (const row of rows) take(row)
}

async function loadRecords(client: Client, needs: Needs, facts: Facts): Promise<void> {
  const { order_ids, fill_ids, named_client_ids } = needs
  const [named_by, client_ids] = [
    named_client_ids.map(({ account_id }) => account_id),
    named_client_ids.map(({ client_order_id }) => client_order_id),
  ]
  await Promise.all([
    read<OrderRow>(client, ORDERS, [order_ids, fill_ids, named_by, client_ids], (row) => addOrderFact(facts, row)),
    read<FillRow>(client, FILLS, [fill_ids], (row) => facts.fills.set(row.fill_id, row)),
    read<TradeFacts>(client, TRADES, [fill_ids], (row) => facts.trades.set(row.trade_id, row)),
    read<AdjustmentRow>(client, ADJUSTMENTS, [fill_ids], (row) => {
      facts.adjustments.set(row.fill_id, [...(facts.adjustments.get(row.fill_id) ?? []), row])
    }),
    loadSettling(client, needs, facts),
    needs.operator_keys.length === 0
      ? null
      : client.query<OperatorKeyRow>({ ...OPERATOR_KEYS, values: [] }).then(({ rows }) => {
          for (const row of rows) facts.operator_keys.set(row.operator_key_id, row)
        }),
    ...needs.paid_before.map((asked) => loadPaidBefore(client, asked, facts)),
  ])
}

async function loadSettling(client: Client, needs: Needs, facts: Facts): Promise<void> {
  const { fill_ids, settlement_ids, attempt_ids, reversal_ids, resolution_ids, market_ids } = needs
  await Promise.all([
    read<SettlementRow>(client, SETTLEMENTS, [settlement_ids, fill_ids], (row) =>
      facts.settlements.set(row.settlement_id, row),
    ),
    read<AttemptRow>(client, ATTEMPTS, [attempt_ids], (row) => facts.attempts.set(row.attempt_id, row)),
    read<Pick<ReversalRow, 'reversal_id'>>(client, REVERSALS, [reversal_ids], ({ reversal_id }) =>
      facts.reversal_ids.add(reversal_id),
    ),
    read<ResolutionRow>(client, RESOLUTIONS, [resolution_ids, market_ids], (row) =>
      facts.resolutions.set(row.resolution_id, row),
    ),
    read<PaidBefore>(client, PAID_POSITIONS, [fill_ids], ({ account_id, outcome_id }) =>
      facts.paid_positions.add(positionKey(account_id, outcome_id)),
    ),
  ])
}

/** Reads one row more than requested, to know whether there are others. */
async function loadPaidBefore(client: Client, asked: Needs['paid_before'][number], facts: Facts): Promise<void> {
  const { resolution_id } = asked
  // An invalid number of positions is rejected when the command is applied.
  const limit = Math.max(1, Math.min(Math.trunc(asked.limit) || 1, PAID_BEFORE_MAX)) + 1
  const { rows } = await client.query<PaidBefore>({ ...PAID_BEFORE, values: [resolution_id, limit] })
  const positions = new Map(rows.map((row) => [positionKey(row.account_id, row.outcome_id), row]))
  facts.paid_before.set(resolution_id, { positions, is_whole: rows.length < limit })
}

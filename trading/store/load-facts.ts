import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { type Facts, noFacts } from '../engine/facts.ts'
import type { Needs } from '../engine/needs-of.ts'
import type { AdjustmentRow, FillRow, OrderRow, SettlementRow } from '../projections/rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { prepared } from './read-sql.ts'

/** How long a client_order_id stays taken after its order has ended (decisions 3). */
const CLIENT_ID_KEPT_DAYS = 7

const KEYS = prepared('find_replay_keys')
const ORDERS = prepared('find_orders')
const FILLS = prepared('find_fills')
const SETTLEMENTS = prepared('find_settlements')
const ADJUSTMENTS = prepared('find_adjustments')

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
 * What the database knows of the keys and records that a batch names. One query by index for the keys, and one for each kind of
 * record where some are named, all sent at once.
 * @param now the engine's clock
 */
export async function loadFacts({ client }: EngineConnection, needs: Needs, now: Micros): Promise<Facts> {
  const facts = noFacts()
  await Promise.all([loadKeys(client, needs, now, facts), loadRecords(client, needs, facts)])
  return facts
}

async function loadKeys(client: Client, needs: Needs, now: Micros, facts: Facts): Promise<void> {
  const { request_nonces, answers, order_nonces, authorization_nonces, client_order_ids, act_ids } = needs
  const asked = [request_nonces, answers, order_nonces, authorization_nonces, client_order_ids]
  if (asked.every(({ length }) => length === 0) && act_ids.length === 0) return
  const released = formatMicros(now - CLIENT_ID_KEPT_DAYS * MICROS_PER_DAY)
  const values = [...asked.map((keys) => JSON.stringify(keys)), act_ids, released]
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
  else if (kind === 'client_order_id') facts.client_order_ids.add(text)
  else facts.act_ids.add(text)
}

async function loadRecords(client: Client, needs: Needs, facts: Facts): Promise<void> {
  const { order_ids, fill_ids, settlement_ids } = needs
  const reads: Promise<void>[] = []
  const read = async <R extends object>(
    statement: { name: string; text: string },
    ids: readonly (readonly string[])[],
    add: (row: R) => void,
  ) => {
    const { rows } = await client.query<R>({ ...statement, values: [...ids] })
    for (const row of rows) add(row)
  }
  if (order_ids.length + fill_ids.length > 0) {
    reads.push(read<OrderRow>(ORDERS, [order_ids, fill_ids], (row) => facts.orders.set(row.order_id, row)))
  }
  if (settlement_ids.length + fill_ids.length > 0) {
    const add = (row: SettlementRow) => facts.settlements.set(row.settlement_id, row)
    reads.push(read<SettlementRow>(SETTLEMENTS, [settlement_ids, fill_ids], add))
  }
  if (fill_ids.length > 0) {
    reads.push(read<FillRow>(FILLS, [fill_ids], (row) => facts.fills.set(row.fill_id, row)))
    reads.push(
      read<AdjustmentRow>(ADJUSTMENTS, [fill_ids], (row) => {
        facts.adjustments.set(row.fill_id, [...(facts.adjustments.get(row.fill_id) ?? []), row])
      }),
    )
  }
  await Promise.all(reads)
}

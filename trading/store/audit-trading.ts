import { readdirSync } from 'node:fs'
import type { BatchRow } from '../projections/rows.ts'
import { findActFaults } from './audit-acts.ts'
import { findKeyFaults } from './audit-keys.ts'
import { findOrderFaults } from './audit-orders.ts'
import type { Pool, PoolClient } from './create-pool.ts'
import { batchHash, GENESIS_HASH, type HashedAct, type HashedEvent } from './hash-chain.ts'
import { readSql } from './read-sql.ts'

/** One violation of an invariant. */
type Violation = { readonly subject: string; readonly found: string | null; readonly expected: string | null }

export type AuditedInvariant = {
  /** L1, R3 ... as in the reliability rules; HASH: the chain over the events. */
  readonly invariant_id: string
  /** The invariant in a sentence. */
  readonly meaning: string
  /** Empty if the invariant holds; at most `limit` of them. */
  readonly violations: readonly Violation[]
  readonly took_ms: number
}

export type AuditOptions = {
  /** Largest number of violations reported per invariant. */
  readonly limit?: number
  /** Invariants to check; left out: all. */
  readonly invariant_ids?: readonly string[]
  /** Invariants to leave out, such as O10 where orders are made without signatures. */
  readonly without?: readonly string[]
  /** A batch as an earlier audit told it, kept where nobody of this database can change it. */
  readonly anchor?: Anchor
}

/** A batch by its hash, which covers every batch before it. */
export type Anchor = { readonly batch_sequence: number; readonly hash: string }

const FOLDER = new URL('../invariants/', import.meta.url)
const CHAIN = {
  id: 'HASH',
  meaning:
    'Every batch links to the one before by the hash over its events: no event was changed, omitted or added since.',
}
const ACTS = {
  id: 'ACTS',
  meaning:
    'Every act since the first operator was registered is signed by the people that it needs, and operator keys are what acts made them.',
}
const KEYS = {
  id: 'KEYS',
  meaning: "Everybody who may sign orders was named by the account's owner, with the scopes of the key, or by an act.",
}
const SIGNED_ORDERS = {
  id: 'O10',
  meaning:
    'Every accepted order has the typed data, the digest and the signature of somebody who may sign for its account.',
}
const ANCHOR = {
  id: 'ANCHOR',
  meaning: 'The batch that an earlier audit told has the hash that it had then: nothing up to it was written anew.',
}
/**
 * Every check scans whole tables. Until the server has counted new rows it considers a nested loop cheap,
 * which makes a check quadratic: at 300,000 orders it does not finish.
 */
const WHOLE_TABLES = 'SET LOCAL enable_nestloop = off'
/** Batches per read of the chain. */
const CHAIN_STEP = 500

/**
 * Checks every invariant of the trading state on one snapshot of the database: the SQL of trading/invariants, which returns one
 * row per violation, and in code the hash chain, acts, authorizations and signatures of orders. Reads only; the engine may keep working.
 */
export async function auditTrading(pool: Pool, options: AuditOptions = {}): Promise<readonly AuditedInvariant[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(WHOLE_TABLES)
    const audited: AuditedInvariant[] = []
    for (const { id, meaning, find } of checks(options)) {
      const started = performance.now()
      const violations = await find(client)
      audited.push({ invariant_id: id, meaning, violations, took_ms: Math.round(performance.now() - started) })
    }
    return audited
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
    client.release()
  }
}

/** Returns the newest batch; null: nothing was written yet. */
export async function newestBatch(pool: Pool): Promise<Anchor | null> {
  const [newest] = (await pool.query<BatchRow>(readSql('last_batch'))).rows
  return newest === undefined ? null : { batch_sequence: newest.batch_sequence, hash: newest.hash }
}

type Check = {
  readonly id: string
  readonly meaning: string
  readonly find: (client: PoolClient) => Promise<readonly Violation[]>
}

function checks({ limit = 20, invariant_ids, without = [], anchor }: AuditOptions): Check[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  const all = [
    ...names.sort(inOrder).map((name) => sqlCheck(name, limit)),
    { ...CHAIN, find: (client: PoolClient) => findBreaks(client, limit) },
    { ...ACTS, find: (client: PoolClient) => findActFaults(client, limit) },
    { ...KEYS, find: (client: PoolClient) => findKeyFaults(client, limit) },
    { ...SIGNED_ORDERS, find: (client: PoolClient) => findOrderFaults(client, limit) },
    ...(anchor === undefined ? [] : [{ ...ANCHOR, find: (client: PoolClient) => compareAnchor(client, anchor) }]),
  ]
  return all.filter(({ id }) => (invariant_ids?.includes(id) ?? true) && !without.includes(id))
}

/** Sorts invariant ids: L, R, O, D, S, P; 2 before 10. */
function inOrder(a: string, b: string): number {
  const rank = (name: string) => 'LRODSP'.indexOf(name[0]!) * 100 + Number.parseInt(name.slice(1), 10)
  return rank(a) - rank(b)
}

function sqlCheck(name: string, limit: number): Check {
  const id = name.slice(0, -'.sql'.length)
  const sql = readSql(id, FOLDER)
  const head = sql.slice(0, sql.indexOf('--\n')).replaceAll('-- ', '').replaceAll('\n', ' ').trim()
  const wrapped = `SELECT * FROM (${sql.trim().replace(/;$/, '')}\n) AS violation LIMIT ${limit}`
  const find = async (client: PoolClient) => (await client.query<Violation>(wrapped)).rows
  return { id, meaning: head.slice(id.length).trim(), find }
}

/** Walks the chain from its start. @returns batches whose link or hash does not match their rows */
async function findBreaks(client: PoolClient, limit: number): Promise<Violation[]> {
  const breaks: Violation[] = []
  let [previous, last] = [GENESIS_HASH, 0]
  for (;;) {
    const batches = (await client.query<BatchRow>(readSql('chain_batches'), [last, CHAIN_STEP])).rows
    if (batches.length === 0 || breaks.length >= limit) return breaks
    const range = [last, batches.at(-1)!.batch_sequence]
    const events = await byBatch<HashedEvent>(client, 'chain_events', range)
    const acts = await byBatch<HashedAct>(client, 'chain_acts', range)
    for (const batch of batches) {
      const { batch_sequence } = batch
      const parts = [events.get(batch_sequence) ?? [], acts.get(batch_sequence) ?? []] as const
      const expected = batchHash({ ...batch, previous_hash: previous }, ...parts)
      if (batch.previous_hash !== previous || batch.hash !== expected) {
        breaks.push({ subject: `batch ${batch.batch_sequence}`, found: batch.hash, expected })
      }
      previous = batch.hash
      last = batch.batch_sequence
    }
  }
}

async function compareAnchor(client: PoolClient, { batch_sequence, hash }: Anchor): Promise<Violation[]> {
  const [batch] = (await client.query<BatchRow>(readSql('chain_batches'), [batch_sequence - 1, 1])).rows
  const found = batch?.batch_sequence === batch_sequence ? batch.hash : 'no such batch'
  return found === hash ? [] : [{ subject: `batch ${batch_sequence}`, found, expected: hash }]
}

/** Returns rows of consecutive batches, by batch. @param range after the first, to the last */
async function byBatch<R>(client: PoolClient, query: string, range: readonly number[]): Promise<Map<number, R[]>> {
  const { rows } = await client.query<R & { batch_sequence: number }>(readSql(query), [...range])
  const by_batch = new Map<number, R[]>()
  for (const row of rows) {
    const known = by_batch.get(row.batch_sequence)
    if (known === undefined) by_batch.set(row.batch_sequence, [row])
    else known.push(row)
  }
  return by_batch
}

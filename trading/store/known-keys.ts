import { setTimeout as pause } from 'node:timers/promises'
import type { Needs } from '../engine/needs-of.ts'
import type { Pool } from './create-pool.ts'
import { KeyFilter } from './key-filter.ts'

/**
 * Keys that every order names: their tables, and their parts in index order. Other keys are few: the database is always
 * queried for them.
 */
const KINDS = [
  { need: 'request_nonces', table: 'request_nonce', parts: ['key_id', 'nonce'] },
  { need: 'answers', table: 'idempotent_answer', parts: ['account_id', 'idempotency_key', 'method', 'path'] },
  { need: 'order_nonces', table: 'order_nonce', parts: ['account_id', 'signer', 'nonce'] },
  { need: 'client_order_ids', table: 'orders', parts: ['account_id', 'client_order_id'] },
] as const satisfies readonly {
  readonly need: keyof Needs
  readonly table: string
  readonly parts: readonly string[]
}[]

/** Keys per read: some milliseconds in which the engine does nothing else. */
const PAGE = 1_000
/** Pause between two pages, for the engine's own work. */
const PAUSE_MS = 5

/**
 * Decides which replay keys need no database query: those that no row can have. It holds every key named by this leader's
 * batches and every key in the tables when it began to lead; nobody else writes them. Until all of those are read, and for
 * a key that may be known, the database is queried, so decisions are the same with and without this filter.
 */
export class KnownKeys {
  readonly #filter: KeyFilter
  #is_whole = false

  constructor(filter: KeyFilter = new KeyFilter()) {
    this.#filter = filter
  }

  /** Whether every key of the tables has been read. */
  get is_whole(): boolean {
    return this.#is_whole
  }

  /** Adds the keys that a batch names. @returns those that must be looked up in the database */
  ask(needs: Needs): Needs {
    const asked = { ...needs }
    for (const [kind, { need, parts }] of KINDS.entries()) {
      const keys: readonly Readonly<Record<string, string>>[] = needs[need]
      const known = keys.filter((key) => {
        const values = parts.map((part) => key[part]!)
        return this.#filter.add(kind, values)
      })
      if (this.#is_whole) asked[need] = known as never
    }
    return asked
  }

  /**
   * Reads the keys of the tables in the background, in short reads: no long snapshot keeps old rows alive.
   * @param signal aborts the read: this leader lost its lease
   * @throws the database's error; the signal's reason
   */
  async read(pool: Pool, signal: AbortSignal): Promise<void> {
    for (const [kind, { table, parts }] of KINDS.entries()) {
      for await (const page of pagesOf(pool, table, parts, signal)) {
        for (const key of page) this.#filter.add(kind, key)
      }
    }
    this.#is_whole = true
  }
}

/**
 * Reads the keys of a table in index order. A key added meanwhile may be missed; an existing key is always read, for keys never
 * change.
 */
async function* pagesOf(pool: Pool, table: string, parts: readonly string[], signal: AbortSignal) {
  const names = parts.join(', ')
  const after = parts.map((_, n) => `$${n + 1}`).join(', ')
  const text = `SELECT ${names} FROM trading.${table} WHERE (${names}) > (${after}) ORDER BY ${names} LIMIT ${PAGE}`
  const pageAfter = async (last: readonly string[]): Promise<string[][]> => {
    const { rows } = await pool.query({ name: `keys of ${table}`, text, rowMode: 'array', values: [...last] })
    return rows
  }
  // Every key sorts after this one, because no part of a key is empty.
  let last: readonly string[] | undefined = parts.map(() => '')
  while (last !== undefined) {
    await pause(PAUSE_MS, undefined, { signal })
    const page = await pageAfter(last)
    yield page
    last = page.length < PAGE ? undefined : page.at(-1)
  }
}

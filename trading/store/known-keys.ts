import { setTimeout as pause } from 'node:timers/promises'
import type { Needs } from '../engine/needs-of.ts'
import type { Pool } from './create-pool.ts'
import { KeyFilter } from './key-filter.ts'

/**
 * Keys that every order names, where they stand, and their parts in the order of an index. Other keys are few: the database is always
 * asked for them.
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

/** Read at once: some milliseconds in which the engine does nothing else. */
const PAGE = 1_000
/** Between two pages, for the engine's own work. */
const PAUSE_MS = 5

/**
 * Tells which replay keys the database need not be asked for: those that no row can have. It holds every key that this leader's
 * batches have named, and every one that stood in the tables once it led; nobody else writes them. Until all of those were read, and of
 * a key that may be known, the database is asked, so that what is decided is the same with it and without it.
 */
export class KnownKeys {
  readonly #filter: KeyFilter
  #is_whole = false

  constructor(filter: KeyFilter = new KeyFilter()) {
    this.#filter = filter
  }

  /** Every key of the tables has been read. */
  get is_whole(): boolean {
    return this.#is_whole
  }

  /** @returns of what a batch names that which is to be looked for. What it names counts as known from here on. */
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
   * Reads the keys of the tables, beside what the leader does: a part of its time, and no snapshot that would keep old rows.
   * @param signal ends it: the leader leads no more
   * @throws what the database answers; the signal's reason
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

/** The keys of a table by an index of it. One that is added meanwhile may come or not; one that is there comes, for no key changes. */
async function* pagesOf(pool: Pool, table: string, parts: readonly string[], signal: AbortSignal) {
  const names = parts.join(', ')
  const after = parts.map((_, n) => `$${n + 1}`).join(', ')
  const text = `SELECT ${names} FROM trading.${table} WHERE (${names}) > (${after}) ORDER BY ${names} LIMIT ${PAGE}`
  const pageAfter = async (last: readonly string[]): Promise<string[][]> => {
    const { rows } = await pool.query({ name: `keys of ${table}`, text, rowMode: 'array', values: [...last] })
    return rows
  }
  // No part of a key is empty.
  let last: readonly string[] | undefined = parts.map(() => '')
  while (last !== undefined) {
    await pause(PAUSE_MS, undefined, { signal })
    const page = await pageAfter(last)
    yield page
    last = page.length < PAGE ? undefined : page.at(-1)
  }
}

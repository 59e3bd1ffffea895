import { setImmediate } from 'node:timers/promises'
import type { QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { createNonces, type Nonce, type NonceStore } from '../../../trading/auth/nonces.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { createNonceStore } from '../../../trading/store/read/create-nonce-store.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { memoryNonces } from './support/memory-nonces.ts'

const database = withDatabase()
const AT = 1_790_000_000_000_000
const ANYTHING: NonceStore = { open: async () => undefined, keep: async () => 0 }
const of = (key_id: string, nonce = 'nonce_01'): Nonce => ({ key_id, nonce })
const refused = (code: string, taken: Promise<unknown>) => expect(taken).rejects.toMatchObject({ code })

test('a nonce is remembered for two minutes at least, whenever in its period it came', async () => {
  for (const taken_ms of [0, 1, 119_999, 120_000, 500_001]) {
    let now_ms = 0
    const nonces = createNonces(ANYTHING, () => now_ms)
    now_ms = taken_ms
    await nonces.take(of('key_1'), AT)
    for (const later_ms of [0, 1, 35_000, 119_999]) {
      now_ms = taken_ms + later_ms
      await refused('REPLAY_REQUEST_NONCE_REUSED', nonces.take(of('key_1'), AT))
    }
    now_ms = taken_ms + 240_000
    await nonces.take(of('key_1'), AT)
  }
})

test('nonces are those of a key', async () => {
  const nonces = createNonces(ANYTHING)
  await nonces.take(of('key_1'), AT)
  await nonces.take(of('key_2'), AT)
  await refused('REPLAY_REQUEST_NONCE_REUSED', nonces.take(of('key_2'), AT))
})

test('what cannot be remembered is not accepted: first by one key, then at all', async () => {
  let now_ms = 0
  // In the slow lane its own room, which half a million nonces fill.
  const of_key = sized(500, 50_000)
  const nonces = createNonces(ANYTHING, () => now_ms, ...sized([{ of_key, of_all: 10 * of_key }], []))
  for (let key = 0; key < 10; key += 1) {
    const all = Array.from({ length: of_key }, (_, n) => nonces.take(of(`key_${key}`, `nonce_${n}`), AT))
    await Promise.all(all)
  }
  now_ms = 30_000
  const wait = { facts: { retry_after_ms: '90000' } }
  await expect(nonces.take(of('key_0', 'one_more'), AT)).rejects.toMatchObject(wait)
  await expect(nonces.take(of('key_10', 'one_more'), AT)).rejects.toMatchObject(wait)
  await refused('RATE_LIMIT_EXCEEDED', nonces.take(of('key_0', 'one_more'), AT))
  await refused('SERVICE_UNAVAILABLE', nonces.take(of('key_10', 'one_more'), AT))
  await refused('REPLAY_REQUEST_NONCE_REUSED', nonces.take(of('key_3', 'nonce_7'), AT))
  now_ms = 120_000
  await nonces.take(of('key_10', 'one_more'), AT)
})

test('a nonce that the store could not keep is not used up', async () => {
  let is_down = true
  const store = memoryNonces()
  const failing: NonceStore = {
    ...store,
    keep: (nonce, at) => (is_down ? Promise.reject(new Error('down')) : store.keep(nonce, at)),
  }
  const nonces = createNonces(failing)
  await expect(nonces.take(of('key_1'), AT)).rejects.toThrow('down')
  is_down = false
  await nonces.take(of('key_1'), AT)
})

test.each(['memory', 'database'] as const)('processes share what they accepted: %s', async (kind) => {
  const pool = kind === 'memory' ? null : (await database()).pool
  const shared = memoryNonces()
  const process = () => (pool === null ? shared : createNonceStore(pool))
  const [one, two] = [process(), process()]
  await one.open(AT)
  await two.open(AT + 5)
  const twice = await Promise.all(
    ['a', 'b', 'a', 'c'].flatMap((nonce) => [
      one.keep(of('key_1', nonce), AT + 9),
      two.keep(of('key_1', nonce), AT + 9),
    ]),
  )
  expect(twice.filter((known_from) => known_from === AT)).toHaveLength(3)
  expect(twice.filter((known_from) => known_from === null)).toHaveLength(5)
  expect(await two.keep(of('key_2', 'a'), AT + 9)).toBe(AT)
  // As after a crash of the server, which empties unlogged tables.
  if (pool === null) return
  await pool.query('TRUNCATE trading.accepted_nonce, trading.request_nonces_known')
  expect(await two.keep(of('key_1', 'a'), AT + 20)).toBe(AT + 20)
  expect(await one.keep(of('key_1', 'd'), AT + 30)).toBe(AT + 20)
})

test('nonces that come while a statement runs, and soon after it, are kept by one more, as of the last one', async () => {
  const { pool } = await database()
  let statements = 0
  const counted: Pool = Object.create(pool, {
    query: { value: (statement: QueryConfig) => pool.query(statement).finally(() => (statements += 1)) },
  })
  const store = createNonceStore(counted, 500)
  const first = store.keep(of('key_4', 'first'), AT + 100)
  const second = store.keep(of('key_4', 'second'), AT + 200)
  await first
  await setImmediate()
  await Promise.all([second, store.keep(of('key_4', 'third'), AT + 300)])
  expect(statements).toBe(2)
  const kept = await pool.query(
    "SELECT nonce, at FROM trading.accepted_nonce WHERE key_id = 'key_4' ORDER BY at, nonce",
  )
  expect(kept.rows).toEqual([
    { nonce: 'first', at: AT + 100 },
    { nonce: 'second', at: AT + 300 },
    { nonce: 'third', at: AT + 300 },
  ])
})

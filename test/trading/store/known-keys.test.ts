import { expect, test } from 'vitest'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { needsOf } from '../../../trading/engine/needs-of.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { KnownKeys } from '../../../trading/store/known-keys.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'

const database = withDatabase()
const FOREVER = new AbortController().signal

/** An order that was taken, with odd letters in the one key that a client may choose freely. */
async function oneOrder(pool: Pool) {
  const maker = new SubmissionMaker()
  const place = maker.place('acct_a')
  const odd = { ...place, identity: { ...place.identity, idempotency_key: String.raw`a \N \t "b" 'c' \\` } }
  const engine = await engineOn(pool)
  for (const submission of maker.setUp(['acct_a'])) expect((await engine.client.submit(submission)).error).toBeNull()
  expect((await engine.client.submit(odd)).status).toBe(201)
  await engine.stop()
  return { place: odd, maker }
}

async function engineOn(pool: Pool) {
  const engine = await startEngine({ pool, now: wallClock, holder: 'test', address: null })
  await engine.leading
  return engine
}

test('until every key was read all are asked for; then those that no row can have are not', async () => {
  const { pool } = await database()
  const { place, maker } = await oneOrder(pool)
  const known = new KnownKeys()
  const other = needsOf(maker.place('acct_a'))
  expect(known.ask(other)).toEqual(other)
  await known.read(pool, FOREVER)
  expect(known.is_whole).toBe(true)
  const fresh = known.ask(needsOf(maker.place('acct_a')))
  expect([fresh.request_nonces, fresh.answers, fresh.order_nonces, fresh.client_order_ids]).toEqual([[], [], [], []])
  // What stands in the tables, and what was asked for before they were read, and after.
  const written = needsOf(place)
  expect(known.ask(written)).toEqual(written)
  expect(known.ask(other)).toEqual(other)
})

test('keys of other kinds are always asked for', async () => {
  const { pool } = await database()
  const known = new KnownKeys()
  await known.read(pool, FOREVER)
  const setup = needsOf(...new SubmissionMaker().setUp(['acct_a']))
  expect(setup.act_ids.length).toBeGreaterThan(0)
  expect(known.ask(setup)).toEqual(setup)
})

test('reading that is ended leaves all to be asked for', async () => {
  const { pool } = await database()
  const known = new KnownKeys()
  await expect(known.read(pool, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(known.is_whole).toBe(false)
})

test('all pages of a table are read', async () => {
  const { pool } = await database()
  await pool.query(
    `INSERT INTO trading.order_nonce SELECT 'acct_' || n % 7, '0x' || n % 3, n::text, now() FROM generate_series(1, 2500) AS n`,
  )
  const known = new KnownKeys()
  await known.read(pool, FOREVER)
  const order_nonces = Array.from({ length: 2_500 }, (_, n) => ({
    account_id: `acct_${(n + 1) % 7}`,
    signer: `0x${(n + 1) % 3}`,
    nonce: String(n + 1),
  }))
  const all = { ...needsOf(), order_nonces }
  expect(known.ask(all).order_nonces).toEqual(order_nonces)
})

test('a second leader refuses what the first one took: nonces, client ids, and repeats under an Idempotency-Key', async () => {
  const { pool } = await database()
  const { place, maker } = await oneOrder(pool)
  const engine = await engineOn(pool)
  const submit = async (changed: Partial<typeof place>) => engine.client.submit({ ...place, ...changed })
  const [one, two, three] = [maker.place('acct_a'), maker.place('acct_a'), maker.place('acct_a')]
  expect((await engine.client.submit(one)).status).toBe(201)
  expect((await submit({})).error?.code).toBe('REPLAY_REQUEST_NONCE_REUSED')
  const repeated = { ...place.identity, nonce: two.identity.nonce }
  expect(await submit({ identity: repeated })).toMatchObject({ status: 201, replayed: true })
  const same_client_id = {
    ...three.order,
    intent: { ...three.order.intent, client_order_id: place.order.intent.client_order_id },
  }
  const duplicate = await submit({ identity: three.identity, order: same_client_id })
  expect(duplicate.error?.code).toBe('ORDER_DUPLICATE_CLIENT_ID')
  const used = maker.place('acct_a')
  const same_nonce = {
    ...used.order,
    signature: { ...used.order.signature, order_nonce: place.order.signature.order_nonce },
  }
  const reused = await submit({ identity: used.identity, order: same_nonce })
  expect(reused.error?.code).toBe('REPLAY_ORDER_NONCE_REUSED')
  await engine.stop()
})

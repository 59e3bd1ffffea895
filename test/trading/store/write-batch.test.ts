import { readdirSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { SIGNED_REQUESTS } from '../../../protocol/limits.ts'
import { noChanges } from '../../../trading/engine/changes.ts'
import { noFacts } from '../../../trading/engine/facts.ts'
import { needsOf } from '../../../trading/engine/needs-of.ts'
import { ENGINE_CORE } from '../../../trading/service/engine-core.ts'
import { deleteExpired } from '../../../trading/store/delete-expired.ts'
import { connectEngineDatabase } from '../../../trading/store/engine-connection.ts'
import { readLease, releaseLease, renewLease, takeLease } from '../../../trading/store/lease.ts'
import { loadFacts } from '../../../trading/store/load-facts.ts'
import { tailBatches } from '../../../trading/store/tail-batches.ts'
import { BatchRefused, writeBatch } from '../../../trading/store/write-batch.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { type BatchWriter, CANDIDATE, LEASE_MS, openWriter } from '../support/batch-writer.ts'

const INVARIANTS = new URL('../../../trading/invariants/', import.meta.url)
const database = withDatabase()
let writer: BatchWriter
let maker: SubmissionMaker

beforeEach(async () => {
  writer = await openWriter((await database()).pool)
  maker = new SubmissionMaker()
  await writer.write(...maker.setUp(['acct_a', 'acct_b']))
  return () => writer.connection.close()
})

const broken = () => writer.broken()
const tamper = (sql: string) => writer.tamper(sql)

describe('a batch', () => {
  test('is one transaction: where a table refuses a row, nothing of it is there', async () => {
    const { order } = maker.place('acct_a')
    const place = maker.place('acct_a')
    await writer.write(place)
    const before = await writer.pool.query('SELECT count(*) AS events FROM trading.engine_event')
    const doubled = { ...maker.place('acct_b'), order: { ...order, signature: place.order.signature } }
    const facts = noFacts()
    const changes = noChanges()
    ENGINE_CORE.apply(writer.state, doubled, facts, writer.now + 1, changes)
    const rows = ENGINE_CORE.finish(writer.state, writer.now + 1, changes)
    const twice = {
      ...rows,
      order_nonce: [rows.order_nonce, rows.order_nonce].flat(),
      request_nonce: [0, 1].flatMap(() => rows.request_nonce),
    }
    const batch = { epoch: writer.epoch, lease_ms: LEASE_MS, at: writer.now + 1, previous: writer.last, rows: twice }
    const sequences = { last_engine_sequence: 10_000, last_ledger_sequence: 10_000 }
    await expect(writeBatch(writer.connection, { ...batch, ...sequences })).rejects.toBeInstanceOf(BatchRefused)
    expect((await writer.pool.query('SELECT count(*) AS events FROM trading.engine_event')).rows).toEqual(before.rows)
    expect(await broken()).toEqual([])
  })

  test('of a former leader is refused by the epoch', async () => {
    const other = await connectEngineDatabase(writer.pool)
    await tamper("UPDATE trading.engine_lease SET epoch = epoch + 1, holder = 'other'")
    await expect(writer.write(maker.place('acct_a'))).rejects.toMatchObject({ name: 'BatchRefused', sqlstate: 'TK001' })
    expect((await writer.pool.query('SELECT * FROM trading.orders')).rows).toEqual([])
    await other.close()
  })
})

/** Changes that an audit must find, by invariant. */
const PLANTED: readonly PlantedChange[] = [
  ['D11', 'UPDATE trading.position SET average_entry_price = average_entry_price + 1 WHERE net_quantity <> 0'],
  ['HASH', "DELETE FROM trading.operator_act WHERE command ->> 'kind' = 'add_market'"],
  ['HASH', "UPDATE trading.operator_act SET reason = 'other' WHERE command ->> 'kind' = 'add_market'"],
  [
    'ACTS',
    `UPDATE trading.operator_act SET command = jsonb_set(command::jsonb, '{market_id}', '"mkt_x"')::json WHERE command ->> 'kind' = 'add_market'`,
  ],
  [
    'HASH',
    `UPDATE trading.engine_event SET body = replace(body::text, '"version":3', '"version":4')::json WHERE kind = 'order'`,
  ],
  ['HASH', `UPDATE trading.engine_event SET body = (body::text || ' ')::json WHERE engine_sequence = 5`],
  ['HASH', 'DELETE FROM trading.engine_event WHERE engine_sequence = 4'],
  ['HASH', `UPDATE trading.engine_event SET account_id = 'acct_x' WHERE kind = 'fill'`],
  ['HASH', `UPDATE trading.engine_batch SET at = at + interval '1 microsecond' WHERE batch_sequence = 2`],
  ['HASH', `UPDATE trading.engine_batch SET hash = decode(repeat('ab', 32), 'hex') WHERE batch_sequence = 3`],
  ['L1', 'UPDATE trading.ledger_entry SET amount = amount + 1 WHERE (ledger_sequence, line) = (1, 0)'],
  ['L2', "UPDATE trading.ledger_entry SET kind = 'fill' WHERE kind = 'deposit'"],
  ['L3', "UPDATE trading.balance SET total = total + 1 WHERE account_id = 'acct_a'"],
  ['L4', `UPDATE trading.ledger_entry SET bucket = 'reserved' WHERE kind = 'deposit' AND account_id = 'acct_a'`],
  ['L5', `UPDATE trading.ledger_entry SET amount = -amount WHERE kind = 'deposit'`],
  [
    'L6',
    `INSERT INTO trading.ledger_entry VALUES (900, 0, 'settlement', 'acct_house_fees', 'asset_usd', 'available', 1, 'x', 1, now())`,
  ],
  ['L7', "UPDATE trading.position SET net_quantity = net_quantity + 1 WHERE account_id = 'acct_a'"],
  [
    'R1',
    "UPDATE trading.orders SET reserved_amount = reserved_amount + 1 WHERE status IN ('open', 'partially_filled')",
  ],
  ['R2', "UPDATE trading.fill SET fee = fee + 1 WHERE side = 'BUY'"],
  ['R3', "UPDATE trading.orders SET reserved_amount = 1 WHERE status = 'filled'"],
  ['R4', "UPDATE trading.position SET reserved_sell_quantity = 1 WHERE account_id = 'acct_b'"],
  ['O1', "UPDATE trading.fill SET quantity = quantity + 1 WHERE side = 'SELL'"],
  ['O1', "DELETE FROM trading.orders WHERE status = 'filled'"],
  [
    'O2',
    `UPDATE trading.engine_event SET body = replace(body::text, '"filled_quantity":200', '"filled_quantity":900')::json`,
  ],
  ['O3', 'UPDATE trading.orders SET filled_notional = filled_notional + 1 WHERE filled_quantity > 0'],
  ['O4', "UPDATE trading.orders SET limit_price = '0.49' WHERE side = 'BUY'"],
  ['O5', "UPDATE trading.orders SET time_in_force = 'FAK' WHERE status = 'partially_filled'"],
  ['O5', "UPDATE trading.orders SET time_in_force = 'FOK', status = 'canceled' WHERE status = 'partially_filled'"],
  ['O6', "UPDATE trading.orders SET status = 'canceled' WHERE status = 'open'"],
  ['O6', "UPDATE trading.orders SET reserved_amount = reserved_amount + 1 WHERE status = 'partially_filled'"],
  [
    'O7',
    `UPDATE trading.fill SET at = '2200-01-01' WHERE side = 'BUY'; UPDATE trading.orders SET expires_at = '2100-01-01'`,
  ],
  ['O9', "UPDATE trading.orders SET limit_price = '0.10' WHERE status = 'open'"],
  ['D5', "UPDATE trading.orders SET client_order_id = 'same', account_id = 'acct_a'"],
  ['D7', 'UPDATE trading.balance SET projection_version = projection_version + 1'],
  ['S1', 'DELETE FROM trading.ledger_entry WHERE ledger_sequence = 2'],
]

describe('the hash chain and the invariants', () => {
  test('hold for what was written, and find each change of it', async () => {
    await writer.write(maker.place('acct_a', { quantity: '5' }))
    await writer.write(maker.place('acct_b', { side: 'SELL', quantity: '2' }))
    await writer.write(maker.place('acct_b', { side: 'SELL', quantity: '3', limit_price: '0.70' }))
    expect(await broken()).toEqual([])
    expect(await notFound(writer.pool, PLANTED)).toEqual([])
  })

  // Where a hash of the table does not fit in the server's work memory, each row is compared with each.
  test('no invariant asks NOT IN of a table', () => {
    const invariants = readdirSync(INVARIANTS).map((name) => readFileSync(new URL(name, INVARIANTS), 'utf8'))
    expect(invariants.filter((sql) => /NOT IN \(SELECT[^)]*\bFROM trading\./.test(sql))).toEqual([])
    expect(invariants.length).toBeGreaterThan(20)
  })
})

test('what is published is never changed', async () => {
  await writer.write(maker.place('acct_a'))
  const { rows } = await writer.pool.query<{ name: string }>(
    "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'append_only' ORDER BY 1",
  )
  expect(rows).toHaveLength(18)
  for (const { name } of rows) {
    for (const sql of [`DELETE FROM ${name}`, `TRUNCATE ${name}`]) {
      await expect(writer.pool.query(sql)).rejects.toThrow('append-only')
    }
  }
})

describe('facts', () => {
  test('are what is committed of the keys that a batch names', async () => {
    const place = maker.place('acct_a')
    const [answer] = await writer.write(place)
    const cancel = maker.cancel('acct_a', place.order.intent.order_id)
    const facts = await loadFacts(writer.connection, needsOf(place, cancel), writer.now)
    const { key_id, nonce, account_id, method, path, idempotency_key } = place.identity
    expect([...facts.request_nonces]).toEqual([`${key_id} ${nonce}`])
    expect(facts.answers.get(`${account_id} ${method} ${path} ${idempotency_key}`)?.answer.status).toBe(answer!.status)
    expect(facts.order_nonces.size).toBe(1)
    expect([...facts.client_order_ids.keys()]).toEqual([`acct_a ${place.order.intent.client_order_id}`])
    expect(facts.orders.get(place.order.intent.order_id)).toMatchObject({ status: 'open', created_at: writer.now })
    const again = await writer.write(place)
    expect(again[0]).toMatchObject({ error: { code: 'REPLAY_REQUEST_NONCE_REUSED' } })
  })

  test('give a client_order_id back 7 days after its order has ended, not a moment before', async () => {
    const place = maker.place('acct_a')
    await writer.write(place)
    await writer.write(maker.cancel('acct_a', place.order.intent.order_id))
    const week = 7 * 86_400_000_000
    const taken = async (now: number) => (await loadFacts(writer.connection, needsOf(place), now)).client_order_ids.size
    expect(await taken(writer.now + week - 1)).toBe(1)
    expect(await taken(writer.now + week)).toBe(0)
  })

  test('are forgotten once their windows have passed', async () => {
    await writer.write(maker.place('acct_a'))
    const retention = SIGNED_REQUESTS.nonce_retention_ms * 1000
    expect(await deleteExpired(writer.pool, writer.now + retention - 1_000_000)).toBe(0)
    expect(await deleteExpired(writer.pool, writer.now + retention + 1_000_000)).toBe(1)
    expect(await deleteExpired(writer.pool, writer.now + 86_401_000_000)).toBe(1)
  })
})

describe('the lease', () => {
  test('is one holder at a time; the epoch rises with each', async () => {
    const other = await connectEngineDatabase(writer.pool)
    expect(await takeLease(other, { ...CANDIDATE, holder: 'other' }, null)).toBeNull()
    await releaseLease(writer.connection, { epoch: writer.epoch })
    const taken = await takeLease(other, { ...CANDIDATE, holder: 'other' }, null)
    expect(taken).toEqual({ epoch: writer.epoch + 1 })
    expect(await readLease(writer.pool)).toMatchObject({ holder: 'other', is_free: false })
    await other.close()
  })

  test('taken over, the former holder renews nothing, and its connection is ended', async () => {
    const other = await connectEngineDatabase(writer.pool)
    await tamper("UPDATE trading.engine_lease SET expires_at = clock_timestamp() - interval '1 second'")
    await takeLease(other, CANDIDATE, null)
    await expect(renewLease(writer.connection, { epoch: writer.epoch }, LEASE_MS)).rejects.toThrow()
    expect(writer.connection.isBroken()).toBe(true)
    await other.close()
  })

  test('of a holder whose connection is gone may be taken before its end', async () => {
    await writer.connection.close()
    const other = await connectEngineDatabase(writer.pool)
    await expect.poll(async () => (await readLease(writer.pool))?.is_free).toBe(true)
    expect(await takeLease(other, CANDIDATE, null)).toEqual({ epoch: writer.epoch + 1 })
    await other.close()
  })

  test('many that ask at once: one gets it', async () => {
    await releaseLease(writer.connection, { epoch: writer.epoch })
    const others = await Promise.all([1, 2, 3, 4].map(() => connectEngineDatabase(writer.pool)))
    // A loser's connection may be ended by the next one in the race: it holds nothing.
    const taken = await Promise.all(others.map((other) => takeLease(other, CANDIDATE, null).catch(() => null)))
    const epochs = taken.flatMap((lease) => (lease === null ? [] : [lease.epoch]))
    expect(new Set(epochs).size).toBe(epochs.length)
    expect((await readLease(writer.pool))!.epoch).toBe(Math.max(...epochs))
    await Promise.all(others.map((other) => other.close()))
  })
})

describe('a tail of the batches', () => {
  test('gives all of them in order from its cursor, what is committed meanwhile too, and ends by its signal', async () => {
    const { at, last_engine_sequence: before } = writer.last!
    for (let n = 0; n < 40; n += 1) await writer.write(maker.place('acct_a', { limit_price: '0.30' }))
    const end = new AbortController()
    const seen: number[] = []
    const options = { poll_ms: 60_000, gather_ms: 1, signal: end.signal }
    const tail = (async () => {
      for await (const { batches } of tailBatches(writer.pool, { at, last_engine_sequence: before }, options)) {
        for (const { events } of batches) seen.push(...events.map(({ engine_sequence }) => engine_sequence))
      }
    })()
    for (let n = 0; n < 5; n += 1) await writer.write(maker.place('acct_a', { limit_price: '0.30' }))
    const last = writer.state.engine_sequence
    await expect.poll(() => seen.at(-1)).toBe(last)
    expect(seen).toEqual(Array.from({ length: last - before }, (_, n) => n + before + 1))
    end.abort()
    await tail
  })

  /** Events of a BUY and the SELL that meets it, as a tail gives them: their kinds, and where each batch ends. */
  async function tailed(of_accounts: () => boolean) {
    const { at, last_engine_sequence } = writer.last!
    await writer.write(maker.place('acct_a', { quantity: '2' }))
    await writer.write(maker.place('acct_b', { side: 'SELL', quantity: '2' }))
    const end = new AbortController()
    const options = { poll_ms: 60_000, gather_ms: 1, of_accounts, signal: end.signal }
    for await (const { batches } of tailBatches(writer.pool, { at, last_engine_sequence }, options)) {
      end.abort()
      const kinds = new Set(batches.flatMap(({ events }) => events.map(({ kind }) => kind)))
      return { kinds: [...kinds].sort(), ends_at: batches.map((batch) => batch.last_engine_sequence) }
    }
    return null
  }

  test('gives the events of accounts to whoever wants them, and every batch in any case', async () => {
    expect(await tailed(() => false)).toEqual({
      kinds: ['book', 'trade'],
      ends_at: [expect.any(Number), writer.state.engine_sequence],
    })
    const { kinds } = (await tailed(() => true))!
    expect(kinds).toEqual(['balance', 'book', 'fill', 'order', 'position', 'trade'])
  })

  test('is read again with them where somebody came to want them while it was read', async () => {
    let asked = 0
    const { kinds } = (await tailed(() => asked++ > 0))!
    expect(kinds).toContain('fill')
  })
})

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrate } from '../../../trading/store/migrate.ts'
import { dumpSchema } from '../../support/trading/dump-schema.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()
const SCHEMA = new URL('../../../trading/schema.sql', import.meta.url)

/** Set to make trading/schema.sql again after a new migration. */
const { UPDATE_SCHEMA } = process.env

test('trading/schema.sql is the schema that the migrations make', async () => {
  const { pool } = await database()
  const dumped = await dumpSchema(pool)
  if (UPDATE_SCHEMA === '1') writeFileSync(SCHEMA, dumped)
  expect(dumped).toBe(readFileSync(SCHEMA, 'utf8'))
})

test('what is applied is not applied again', async () => {
  const { pool } = await database()
  expect(await migrate(pool)).toEqual([])
})

test('several processes that start at once apply each file once', async () => {
  const { pool } = await database()
  await pool.query('DROP SCHEMA trading CASCADE; DROP TABLE public.tidemark_migration')
  const applied = await Promise.all([migrate(pool), migrate(pool), migrate(pool)])
  expect(applied.map(({ length }) => length).sort()).toEqual([0, 0, applied.flat().length])
  expect(applied.flat()).toContain('0001_trading.sql')
})

test('what was confirmed and marked before attempts and marks were recorded is kept as what it was', async () => {
  const { pool } = await database()
  await pool.query('DROP SCHEMA trading CASCADE; DROP TABLE public.tidemark_migration')
  const [first, second] = ['0001_trading', '0002_settlement'].map((name) =>
    readFileSync(new URL(`../../../trading/migrations/${name}.sql`, import.meta.url), 'utf8'),
  )
  await pool.query(`BEGIN; ${first}; COMMIT`)
  await pool.query(`
    INSERT INTO trading.settlement SELECT 'stl_' || n, 'trade_settlement', 'acct_a', 'fill_' || n, 'mkt_1', 'out_1', 'asset_usd', 'BUY',
      100, 50, 1, 0, CASE n WHEN 1 THEN 'confirmed' ELSE 'pending' END, n, '2026-01-01', '2026-01-01',
      CASE n WHEN 1 THEN timestamptz '2026-01-01' END
    FROM generate_series(1, 2) AS n;
    INSERT INTO trading.fill SELECT 'fill_' || n, n, 'trd', 'stl_' || n, 'ord', 'c', 'acct_a', 'mkt_1', 'out_1', 'BUY', 'taker', 50, 100, 50,
      1, '0', 'fee', 1, 0, 0, '2026-01-01'
    FROM generate_series(1, 2) AS n;
    INSERT INTO trading.position VALUES ('acct_a', 'out_1', 'mkt_1', 200, 100, 5, 0, 0, 0, 0, 0, 0, 2, 1, 3);
    INSERT INTO trading.engine_event VALUES (3, 1, 'settlement', 'acct_a', '{"settlement_id":"stl_1","state":"confirmed"}');
    INSERT INTO trading.operator_act SELECT 'act_' || n, 1, '2026-01-01', 'a', 'r',
      json_build_object('kind', 'set_mark', 'market_id', 'mkt_1', 'outcome_id', 'out_1', 'mark', '0.' || n)
    FROM generate_series(1, 2) AS n`)
  await pool.query(`BEGIN; ${second}; COMMIT`)
  const rows = async (sql: string) => (await pool.query(sql)).rows
  expect(await rows('SELECT attempt_count, attempt_id, engine_sequence FROM trading.settlement ORDER BY 3')).toEqual([
    { attempt_count: 0, attempt_id: null, engine_sequence: 2 },
    { attempt_count: 1, attempt_id: 'att_stl_1', engine_sequence: 3 },
  ])
  expect(await rows('SELECT engine_sequence, from_state, state FROM trading.settlement_transition ORDER BY 1')).toEqual(
    [
      { engine_sequence: 1, from_state: 'pending', state: 'submitted' },
      { engine_sequence: 3, from_state: 'submitted', state: 'confirmed' },
    ],
  )
  expect(await rows('SELECT attempt_number, state FROM trading.settlement_attempt')).toEqual([
    { attempt_number: 1, state: 'confirmed' },
  ])
  expect(await rows('SELECT open_settlements FROM trading.position')).toEqual([{ open_settlements: 1 }])
  expect(await rows('SELECT outcome_id, mark FROM trading.outcome_mark')).toEqual([
    { outcome_id: 'out_1', mark: 20_000_000 },
  ])
})

test('stored keys end with their authorizations, and those of none that ends as before', async () => {
  const { pool } = await database()
  const seventh = readFileSync(new URL('../../../trading/migrations/0007_key_expiry.sql', import.meta.url), 'utf8')
  await pool.query(`
    INSERT INTO trading.api_key SELECT 'key_' || n, 'acct_a', 'test', 'l', 'ed25519', '{}', '{}', 1, 'm', null, null, '2026-01-01',
      CASE n WHEN 2 THEN timestamptz '2026-03-01' WHEN 3 THEN timestamptz '2026-01-15' END, null, null
    FROM generate_series(1, 4) AS n;
    INSERT INTO trading.signer_authorization SELECT 'auz_' || n, 'acct_a', 'o', 's', 'key_' || n, 'h', 'test', '2026-01-01',
      CASE WHEN n < 4 THEN timestamptz '2026-02-01' END, n, '1', 'eoa', null, '2026-01-01'
    FROM generate_series(1, 4) AS n`)
  await pool.query(`BEGIN; ${seventh}; COMMIT`)
  const { rows } = await pool.query<{ day: string | null }>(
    "SELECT to_char(expires_at AT TIME ZONE 'UTC', 'MM-DD') AS day FROM trading.api_key ORDER BY key_id",
  )
  expect(rows.map(({ day }) => day)).toEqual(['02-01', '02-01', '01-15', null])
})

test('an applied file that has changed since is refused', async () => {
  const { pool } = await database()
  await pool.query("UPDATE public.tidemark_migration SET sha256 = 'other'")
  await expect(migrate(pool)).rejects.toMatchObject({ code: 'VALIDATION_VERSION_PUBLISHED' })
})

test('a database that is ahead of these files is refused', async () => {
  const { pool } = await database()
  await pool.query("INSERT INTO public.tidemark_migration (name, sha256) VALUES ('9999_later.sql', 'x')")
  await expect(migrate(pool)).rejects.toThrow('9999_later.sql')
})

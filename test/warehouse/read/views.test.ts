import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openSourcesSession, type ReadSession } from '../../../warehouse/read/sources-session.ts'
import { VIEW_NAMES } from '../../../warehouse/read/views.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { TABLE_NAMES, type TableName } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { minute, minuteMicros, quote, recordedAt } from './quotes.ts'

let warehouse: Warehouse

async function publish(table: TableName, at: number, rows: readonly Row[]): Promise<void> {
  await warehouse.append(table, rows, { app_id: 'test', app_sequence: at, stamp: recordedAt(at), operation: 'TEST' })
}

async function query(at: number | null, sql: string): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: at === null ? null : minuteMicros(at), pin: false })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

const definition = {
  index_id: 'idx_a',
  revision: 1,
  slug: 'a',
  symbol: 'A',
  status: 'active',
  unit: 'index_points',
  base_value: '1000.0000',
  base_date: minute(0),
}

function version(name: string, effective_minute: number): Row {
  return {
    index_version_id: `idv_${name}`,
    index_id: 'idx_a',
    version: name,
    status: 'published',
    effective_from: minute(effective_minute),
    mode: 'gauge',
    weight_sum: '1.0000000000',
    definition: '{}',
    constituents: ['x', 'y'].map((id) => ({
      constituent_id: `con_${id}`,
      market_id: `mkt_${id}`,
      target_weight: '0.5000000000',
      market_mapping: { venue_id: 'manifold', source_series_id: null, source_market_id: id, valid_from: minute(0) },
    })),
  }
}

function observation(record: { id: string; tick: number; revision?: number; level: string }): Row {
  return {
    observation_id: record.id,
    revision: record.revision ?? 1,
    index_id: 'idx_a',
    index_version_id: 'idv_1',
    tick_at: minute(record.tick),
    level: record.level,
    quality_state: 'valid',
    record_hash: 'none',
    inputs: [
      {
        ...{ constituent_id: 'con_x', market_id: 'mkt_own', weight_applied: '0.5000000000' },
        ...{ contribution: '250.000000000000', legs: [{ market_id: 'mkt_used', outcome_id: 'out_used' }] },
      },
      {
        ...{ constituent_id: 'con_y', market_id: 'mkt_own', weight_applied: '0.5000000000', contribution: null },
        legs: ['mkt_own', 'mkt_used'].map((market_id) => ({ market_id, outcome_id: 'out_same' })),
      },
    ],
  }
}

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await publish('index_definition', 10, [definition])
  await publish('index_version', 20, [version('1', 30)])
  await publish('index_version', 40, [version('2', 60)])
  await publish('index_observation', 50, [observation({ id: 'o1', tick: 30, level: '500.0000' })])
  await publish('index_observation', 70, [observation({ id: 'o2', tick: 30, revision: 2, level: '501.0000' })])
  const book = { bid: '0.4', ask: '0.6', last_trade: null, reported_probability: null }
  await publish('market_quote', 10, [
    quote({ record_id: 'q1', market: 'a', received_minute: 5, more: { bid: '0', ask: '0.6' } }),
  ])
  const change = { supersedes_id: 'q1', correction_reason: 'SOURCE_CORRECTION' }
  await publish('market_quote', 20, [
    quote({ record_id: 'q2', market: 'a', received_minute: 6, revision: 2, more: { ...book, ...change } }),
  ])
})
afterAll(() => warehouse.close())

test('every view exists in plain and history form, empty where nothing is published', async () => {
  const session = await openReadSession(warehouse, { as_of: null })
  for (const view of VIEW_NAMES) await session.query(`select * from ${view}`)
  expect(await session.query('select * from public_trade')).toEqual([])
  expect(VIEW_NAMES).toHaveLength(84)
  await session.close()
})

describe('views are made when a statement names them', () => {
  test.each(VIEW_NAMES)('%s alone', async (view) => {
    const session = await openSourcesSession(
      TABLE_NAMES.map((table) => ({ table, files: [], intervals: null })),
      minuteMicros(90),
    )
    expect(await session.query(`SELECT * FROM ${view.toUpperCase()}`)).toEqual([])
    await session.close()
  })

  const madeIn = async (session: ReadSession) => {
    const names = await session.query(
      'select view_name from duckdb_views() where database_name = current_database() and not internal order by all',
    )
    return names.map(({ view_name }) => view_name)
  }

  test('a view is made when it is read again, with what it reads, and no other', async () => {
    const session = await openReadSession(warehouse, { as_of: minuteMicros(90), pin: false })
    const first = await session.query('from market_quote_history order by all')
    expect(await madeIn(session)).toEqual([])
    expect(await session.query('from market_quote_history order by all')).toEqual(first)
    expect(first).toHaveLength(2)
    await session.query('from constituent')
    expect(await madeIn(session)).toEqual(['market_quote_history'])
    await session.query('from constituent')
    expect(await madeIn(session)).toEqual(['constituent', 'index_version', 'market_quote_history'])
    await session.close()
  })

  const COUNT = 'select count(*)::integer as n from index_version'
  test.each([
    ['with its own queries', `with mine as (${COUNT}) from mine`, 2],
    [
      'with recursive ones',
      `with recursive mine as (${COUNT} union all select n + 1 from mine where n < 4) select max(n)::integer as n from mine`,
      4,
    ],
    ['with one of the name of a view', `with index_version as (select 7 as n) from index_version`, 7],
    ['with one of such a name and columns', `with index_version (n) as (select 7) from index_version`, 7],
    ['in lines and capitals', `\n  SELECT count(*)::integer AS n\n  FROM "INDEX_VERSION"`, 2],
    ['with a view that another one reads', 'select count(distinct index_version_id)::integer as n from constituent', 2],
  ])('a first statement %s', async (_, sql, n) => {
    const session = await openReadSession(warehouse, { as_of: minuteMicros(90), pin: false })
    expect(await session.query(sql)).toEqual([{ n }])
    await session.close()
  })

  test('a first statement that is no select', async () => {
    const session = await openReadSession(warehouse, { as_of: minuteMicros(90), pin: false })
    expect((await session.query('describe index_version')).length).toBeGreaterThan(5)
    expect(await madeIn(session)).toEqual(['index_version'])
    await session.close()
  })

  test('statements side by side in one session, and again after one that failed', async () => {
    const session = await openReadSession(warehouse, { as_of: minuteMicros(90), pin: false })
    const counts = ['index_version', 'constituent', 'index_observation', 'index_version', 'market_quote_history'].map(
      async (view) => (await session.query(`select count(*)::integer as n from ${view}`))[0]!.n,
    )
    await expect(session.query('select nothing from index_definition')).rejects.toThrow('nothing')
    expect(await Promise.all(counts)).toEqual([2, 4, 1, 2, 2])
    expect(await session.query('select index_id from index_definition')).toEqual([{ index_id: 'idx_a' }])
    await session.close()
  })

  test('of a table that the session was not opened for there is none', async () => {
    const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
    await expect(session.query('select * from market_quote')).rejects.toThrow('market_quote')
    await expect(session.query('select * from index_definition')).rejects.toThrow('index_definition')
    await session.close()
  })
})

describe('market_observation', () => {
  const rows = 'select observation_id, field, value, supersedes_id from market_observation order by field'

  test('one row a field that the quote gives; a measured zero is a row, a missing value is none', async () => {
    expect(await query(10, rows)).toEqual([
      { observation_id: 'q1.ask', field: 'ask', value: '0.600000000', supersedes_id: null },
      { observation_id: 'q1.bid', field: 'bid', value: '0.000000000', supersedes_id: null },
      {
        observation_id: 'q1.reported_probability',
        field: 'reported_probability',
        value: '0.500000000',
        supersedes_id: null,
      },
    ])
  })

  test('a later revision of the quote replaces all its fields, also those it no longer gives', async () => {
    expect(await query(20, rows)).toEqual([
      { observation_id: 'q2.ask', field: 'ask', value: '0.600000000', supersedes_id: 'q1.ask' },
      { observation_id: 'q2.bid', field: 'bid', value: '0.400000000', supersedes_id: 'q1.bid' },
    ])
    expect(await query(20, 'select count(*) as n from market_observation_history')).toEqual([{ n: 5 }])
  })

  test('has the columns that the command line promises', async () => {
    const promised =
      'observation_id, revision, supersedes_id, correction_reason, venue_id, source_series_id, source_market_id, market_id, outcome_id, field, value, raw_value, source_at, received_at, confirmed_at, published_at, source_sequence, quality_state, is_final, row_ordinal'
    expect(await query(20, `select ${promised} from market_observation`)).toHaveLength(2)
  })
})

describe('index versions follow from what is known at the instant', () => {
  test('effective_to is the next effective_from published by then', async () => {
    const sql = 'select version, effective_to from index_version order by version'
    expect(await query(39, sql)).toEqual([{ version: '1', effective_to: null }])
    expect(await query(40, sql)).toEqual([
      { version: '1', effective_to: minute(60) },
      { version: '2', effective_to: null },
    ])
  })

  test.each([
    [10, 'scheduled', null],
    [29, 'scheduled', null],
    [30, 'active', 'idv_1'],
    [59, 'active', 'idv_1'],
    [60, 'active', 'idv_2'],
  ])('at minute %i the index is %s with version %s', async (at, status, active_version_id) => {
    expect(await query(at, 'select status, active_version_id from index_definition')).toEqual([
      { status, active_version_id },
    ])
  })

  test('constituents are rows in the order of the version, with their mapping', async () => {
    const sql = `select version, constituent_ordinal, constituent_id, target_weight, venue_id, source_series_id,
      source_market_id, market_mapping.valid_from as valid_from, effective_to from constituent order by 1, 2`
    const rows = await query(40, sql)
    expect(rows.map((row) => [row.version, row.constituent_ordinal, row.constituent_id])).toEqual([
      ['1', 1, 'con_x'],
      ['1', 2, 'con_y'],
      ['2', 1, 'con_x'],
      ['2', 2, 'con_y'],
    ])
    expect(rows[0]).toMatchObject({
      target_weight: '0.5000000000',
      venue_id: 'manifold',
      source_series_id: null,
      source_market_id: 'x',
      valid_from: minute(0),
      effective_to: minute(60),
    })
  })
})

describe('index observations', () => {
  test('a correction replaces the level of its tick from its publication on', async () => {
    const sql = 'select observation_id, level, published_at_ts_ms from index_observation'
    const published = (at: number) => minuteMicros(at) / 1000
    expect(await query(69, sql)).toEqual([
      { observation_id: 'o1', level: '500.0000', published_at_ts_ms: published(50) },
    ])
    expect(await query(70, sql)).toEqual([
      { observation_id: 'o2', level: '501.0000', published_at_ts_ms: published(70) },
    ])
  })

  test('inputs are rows in the order of the calculation, with the keys of their level', async () => {
    const sql =
      'select observation_id, tick_at, input_ordinal, constituent_id, contribution from index_observation_input order by 3'
    expect(await query(70, sql)).toEqual([
      {
        observation_id: 'o2',
        tick_at: minute(30),
        input_ordinal: 1,
        constituent_id: 'con_x',
        contribution: '250.000000000000',
      },
      { observation_id: 'o2', tick_at: minute(30), input_ordinal: 2, constituent_id: 'con_y', contribution: null },
    ])
    expect(await query(70, 'select count(*) as n from index_observation_input_history')).toEqual([{ n: 4 }])
  })

  test('the market of an input is that of the marks used, whatever its own leg is', async () => {
    const sql = 'select market_id, used_market_id, used_outcome_id from index_observation_input order by input_ordinal'
    expect(await query(70, sql)).toEqual([
      { market_id: 'mkt_own', used_market_id: 'mkt_used', used_outcome_id: 'out_used' },
      { market_id: 'mkt_own', used_market_id: null, used_outcome_id: 'out_same' },
    ])
  })
})

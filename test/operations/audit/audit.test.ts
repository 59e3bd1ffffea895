import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { listTables } from '../../../operations/query/list-tables.ts'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import { vacuumWarehouse } from '../../../operations/upkeep/vacuum-warehouse.ts'
import { recordHash } from '../../../pipelines/index/record-hash.ts'
import { digestKey } from '../../../warehouse/audit/digest-files.ts'
import { readDigests } from '../../../warehouse/audit/digests.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { minute, minuteMicros, quote, recordedAt } from '../../warehouse/read/quotes.ts'

const folder = tempFolder()
let warehouses = 0

/** A warehouse of its own with these commits: table, minute, rows. */
async function warehouseOf(commits: readonly (readonly [TableName, number, readonly Row[]])[]): Promise<Warehouse> {
  warehouses += 1
  const warehouse = await openWarehouse({ root: join(folder, `warehouse-${warehouses}`), create: true })
  for (const [table, at, rows] of commits) {
    await warehouse.append(table, rows, { app_id: 'test', app_sequence: at, stamp: recordedAt(at), operation: 'TEST' })
  }
  return warehouse
}

/** Rules broken and what breaks them. */
async function broken(commits: Parameters<typeof warehouseOf>[0]): Promise<[string, string | null][]> {
  const warehouse = await warehouseOf(commits)
  const report = await auditWarehouse({ warehouse })
  await warehouse.close()
  expect(report.ok).toBe(report.violations.length === 0)
  return report.violations.map(({ rule, id }) => [rule, id])
}

const first = quote({ record_id: 'a1', market: 'a', received_minute: 5 })
const second = (more: Row = {}) =>
  quote({
    record_id: 'a2',
    market: 'a',
    received_minute: 6,
    revision: 2,
    more: { supersedes_id: 'a1', correction_reason: 'SOURCE_CORRECTION', ...more },
  })

describe('chains of revisions', () => {
  test('a correction and a late row are right', async () => {
    const late = quote({ record_id: 'a3', market: 'a', received_minute: 4, revision: 3 })
    expect(
      await broken([
        ['market_quote', 10, [first]],
        ['market_quote', 20, [second(), late]],
      ]),
    ).toEqual([])
  })

  test.each([
    ['a number is skipped', { revision: 3 }, 'REVISION_NUMBER'],
    ['a reason without a target', { supersedes_id: null }, 'REVISION_REASON'],
    ['a target without a reason', { correction_reason: null }, 'REVISION_REASON'],
    ['the target does not exist', { supersedes_id: 'zz' }, 'REVISION_TARGET'],
    ['the target is the row itself', { supersedes_id: 'a2' }, 'REVISION_TARGET'],
    ['the target is of another chain', { supersedes_id: 'b1' }, 'REVISION_TARGET'],
  ])('%s', async (_, more, rule) => {
    const other = quote({ record_id: 'b1', market: 'b', received_minute: 5 })
    expect(
      await broken([
        ['market_quote', 10, [first, other]],
        ['market_quote', 20, [second(more)]],
      ]),
    ).toEqual([[rule, 'a2']])
  })

  test('two rows supersede the same one', async () => {
    const third = second({ record_id: 'a3', revision: 3, received_at: minute(7) })
    expect(
      await broken([
        ['market_quote', 10, [first]],
        ['market_quote', 20, [second()]],
        ['market_quote', 30, [third]],
      ]),
    ).toEqual([
      ['REVISION_BRANCH', 'a2'],
      ['REVISION_BRANCH', 'a3'],
    ])
  })

  test('a target that is published later', async () => {
    const early = { ...second({ supersedes_id: 'a1' }), revision: 1 }
    const rules = await broken([
      ['market_quote', 10, [early]],
      ['market_quote', 20, [{ ...first, revision: 2 }]],
    ])
    expect(rules).toEqual([['REVISION_TARGET', 'a2']])
  })

  test('chains of one id name the superseded revision', async () => {
    const event = { event_id: 'evt_a', revision: 1, title: 'A', source_at: minute(1), received_at: minute(1) }
    const change = { supersedes_id: 'evt_a.1', correction_reason: 'TEXT', received_at: minute(2) }
    const right: Row = { ...event, revision: 2, ...change }
    expect(
      await broken([
        ['event', 10, [event]],
        ['event', 20, [right]],
      ]),
    ).toEqual([])
    expect(
      await broken([
        ['event', 10, [event]],
        ['event', 20, [{ ...right, supersedes_id: 'evt_a.2' }]],
      ]),
    ).toEqual([['REVISION_TARGET', 'evt_a']])
  })
})

test('a record is stored once', async () => {
  const again = { ...first, source_at: minute(1) }
  expect(
    await broken([
      ['market_quote', 10, [first]],
      ['market_quote', 20, [again]],
    ]),
  ).toEqual([['DUPLICATE_ID', 'a1']])
})

describe('clocks', () => {
  test.each([
    [5, []],
    [6, [['CLOCK_RECEIVED', 'a1']]],
  ])('a source instant at minute %i of a row received at minute 5', async (source_minute, rules) => {
    const row = quote({ record_id: 'a1', market: 'a', received_minute: 5, source_minute })
    expect(await broken([['market_quote', 10, [row]]])).toEqual(rules)
  })

  const observation = (more: Row): Row => {
    const row: Row = {
      observation_id: 'o1',
      revision: 1,
      index_id: 'idx_a',
      index_version_id: 'idv_a',
      tick_at: minute(5),
      level: '500.0000',
      quality_state: 'valid',
      source_cutoff_at: minute(5),
      calculated_at: minute(6),
      ...more,
    }
    return { ...row, record_hash: more.record_hash ?? recordHash(row as Parameters<typeof recordHash>[0]) }
  }

  test.each([
    ['in order, equal at the end', { calculated_at: minute(10) }, []],
    ['not calculated', { calculated_at: null, source_cutoff_at: null }, []],
    ['calculated before its cutoff', { calculated_at: minute(4) }, [['CLOCK_CALCULATED', 'o1']]],
    ['published before it was calculated', { calculated_at: minute(11) }, [['CLOCK_CALCULATED', 'o1']]],
  ])('a level %s', async (_, more, rules) => {
    expect(await broken([['index_observation', 10, [observation(more)]]])).toEqual(rules)
  })

  test('a level whose columns do not have its hash', async () => {
    expect(await broken([['index_observation', 10, [observation({ record_hash: '0'.repeat(64) })]]])).toEqual([
      ['RECORD_HASH', 'o1'],
    ])
  })
})

describe('weights', () => {
  const version = (weights: readonly string[]): Row => ({
    index_version_id: 'idv_a',
    index_id: 'idx_a',
    version: '1',
    status: 'published',
    effective_from: minute(5),
    mode: 'gauge',
    weight_sum: '1.0000000000',
    definition: '{}',
    constituents: weights.map((target_weight, n) => ({ constituent_id: `con_${n}`, target_weight })),
  })
  test.each([
    [['0.3333333333', '0.6666666667'], []],
    [['0.3333333333', '0.6666666666'], [['WEIGHT_SUM', 'idv_a']]],
  ])('%j', async (weights, rules) => {
    expect(await broken([['index_version', 10, [version(weights)]]])).toEqual(rules)
  })
})

/** Two days with several commits each, so that there is something to merge. */
async function longerHistory(): Promise<Warehouse> {
  const day = 24 * 60
  const commits = [10, 20, 30, day + 10, day + 20, 2 * day].map((at, n) => {
    const rows = [
      quote({
        record_id: `r${n}`,
        market: 'a',
        received_minute: n,
        revision: n + 1,
        more: n === 0 ? {} : { supersedes_id: `r${n - 1}`, correction_reason: 'CONFIRMED' },
      }),
      quote({ record_id: `s${n}`, market: `m${n}`, received_minute: n }),
    ]
    return ['market_quote', at, rows] as const
  })
  return warehouseOf(commits)
}

describe('sealed answers', () => {
  test('are the same after compaction, vacuum and a cold start', async () => {
    const warehouse = await longerHistory()
    expect((await auditWarehouse({ warehouse })).ok).toBe(true)
    const { digests } = await readDigests(warehouse.store, 'market_quote')
    expect(digests.map(({ current_rows }) => current_rows)).toEqual([2, 5, 7])
    const compacted = await compactWarehouse({ warehouse, interval_rows_min: 1 })
    expect(compacted.tables.find(({ table }) => table === 'market_quote')).toMatchObject({
      files_before: 6,
      files_after: 3,
      rows: 12,
    })
    const vacuumed = await vacuumWarehouse({ warehouse, retention: 'PT0S', dry_run: false })
    expect(vacuumed.tables.find(({ table }) => table === 'market_quote')?.files).toBe(5)
    await warehouse.close()
    const cold = await openWarehouse({ root: warehouse.root })
    const report = await auditWarehouse({ warehouse: cold })
    expect(report.violations).toEqual([])
    const made = (check: string) => report.checks.find((one) => one.table === 'market_quote' && one.check === check)
    expect(made('sealed as_of digests')).toMatchObject({ checked: 3, violations: 0 })
    expect(made('interval file')).toMatchObject({ checked: 1, violations: 0 })
    await cold.close()
  })

  test('an answer that is not the recorded one is named, and so is a damaged record of it', async () => {
    const warehouse = await longerHistory()
    await auditWarehouse({ warehouse })
    const path = join(warehouse.root, digestKey('market_quote'))
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(/"current_sha256":"./, '"current_sha256":"0').replace(/"current_rows":2/, '"current_rows":3'),
    )
    const changed = await auditWarehouse({ warehouse })
    expect(changed.violations.map(({ rule }) => rule)).toEqual(['SEALED_AS_OF'])
    expect(changed.violations[0]?.message).toContain(`as of ${minute(10)} it had 3 current rows`)
    writeFileSync(path, text)
    appendFileSync(path, '{"as_of"')
    expect((await auditWarehouse({ warehouse })).violations.map(({ rule }) => rule)).toEqual(['DIGEST_FILE'])
    await warehouse.close()
  })
})

describe('one flipped byte is found and its file named', () => {
  const flip = (path: string, place: number) => {
    const bytes = readFileSync(path)
    bytes[Math.floor(bytes.length * place)]! ^= 1
    chmodSync(path, 0o600)
    writeFileSync(path, bytes)
  }

  test.each([0.1, 0.5, 0.9])('in a data file, at %f of it', async (place) => {
    const warehouse = await longerHistory()
    const file = (await warehouse.log('market_quote').snapshot()).files[2]!
    await warehouse.close()
    flip(join(warehouse.root, file.key), place)
    const cold = await openWarehouse({ root: warehouse.root })
    const { ok, violations } = await auditWarehouse({ warehouse: cold })
    expect(ok).toBe(false)
    expect(violations[0]).toMatchObject({
      table: 'market_quote',
      file: file.key,
      message: expect.stringContaining(file.key),
    })
    await cold.close()
  })

  test.each([0.1, 0.5, 0.9])('in a log file, at %f of it', async (place) => {
    const warehouse = await longerHistory()
    await warehouse.close()
    const key = 'market_quote/_delta_log/00000000000000000003.json'
    flip(join(warehouse.root, key), place)
    const cold = await openWarehouse({ root: warehouse.root })
    const { ok, violations } = await auditWarehouse({ warehouse: cold })
    expect(ok).toBe(false)
    expect(violations[0]).toMatchObject({ table: 'market_quote', file: key })
    await cold.close()
  })
})

test('the tables are listed from their logs', async () => {
  const warehouse = await warehouseOf([
    ['market_quote', 10, [first]],
    ['market_quote', 20, [second()]],
  ])
  await warehouse.log('market_quote').seal(minuteMicros(30))
  const tables = await listTables({ warehouse })
  expect(tables.find(({ table }) => table === 'market_quote')).toMatchObject({
    rows: 2,
    files: 2,
    first_published_at: minute(10),
    last_published_at: minute(20),
    sealed_through: minute(30),
    log_version: 3,
  })
  expect(tables.find(({ table }) => table === 'event')).toMatchObject({
    rows: 0,
    files: 0,
    bytes: 0,
    first_published_at: null,
  })
  await warehouse.close()
})

test('a retention beyond what the log remembers is refused', async () => {
  const warehouse = await warehouseOf([])
  const vacuumed = vacuumWarehouse({ warehouse, retention: 'P31D', dry_run: true })
  await expect(vacuumed).rejects.toMatchObject({ code: 'VALIDATION_RANGE_INVALID' })
  await warehouse.close()
})

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { afterTest, linkRow, queryTable, recorded, step, testWarehouse } from './fixtures.ts'

async function smallWarehouse(): Promise<Warehouse> {
  const warehouse = await testWarehouse()
  for (const [i, day] of ['15', '16', '17', '18'].entries()) {
    await warehouse.append(
      'index_link',
      [linkRow(`a${i}`), linkRow(`b${i}`)],
      step(i + 1, recorded(`2026-01-${day}T00:00:00Z`)),
    )
  }
  await warehouse.append(
    'event',
    [
      {
        event_id: 'evt_1',
        revision: 1,
        title: 't',
        source_at: '2026-01-01T00:00:00Z',
        received_at: '2026-01-01T00:00:00Z',
      },
    ],
    step(1),
  )
  return warehouse
}

async function reopen(root: string): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root })
  afterTest(() => warehouse.close())
  return warehouse
}

const commitPath = (root: string, version: number) =>
  join(root, 'index_link', '_delta_log', `${String(version).padStart(20, '0')}.json`)

test('an untouched warehouse has no violation', async () => {
  const warehouse = await smallWarehouse()
  expect(await warehouse.log('index_link').verify()).toEqual({
    table: 'index_link',
    commits: 5,
    files: 4,
    rows: 8,
    violations: [],
  })
})

test('property: one flipped bit anywhere in any commit file is found and named, and never read past', async () => {
  const { root } = await smallWarehouse()
  const warehouse = await reopen(root)
  const place = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat(), fc.integer({ min: 0, max: 7 }))
  await fc.assert(
    fc.asyncProperty(place, async ([version, at, bit]) => {
      const path = commitPath(root, version)
      const whole = readFileSync(path)
      const bytes = Buffer.from(whole)
      bytes[at % bytes.length]! ^= 1 << bit
      writeFileSync(path, bytes)
      const { violations } = await warehouse.log('index_link').verify()
      const cold = await openWarehouse({ root })
      const read = cold.log('index_link').snapshot()
      await expect(read).rejects.toMatchObject({
        code: 'WAREHOUSE_CORRUPT',
        facts: { table: 'index_link', version: String(version) },
      })
      await cold.close()
      writeFileSync(path, whole)
      expect(violations[0]).toMatchObject({ rule: 'LOG_FILE_DAMAGED', version, table: 'index_link' })
      expect(violations[0]!.file).toContain(`${version}.json`)
    }),
    { numRuns: sized(5, 30) },
  )
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test.each([
  [
    'flipped',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 700), Buffer.from([bytes[700]! ^ 4]), bytes.subarray(701)]),
  ],
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['emptied', () => Buffer.alloc(0)],
])('a data file that was %s is named by reader and audit; other tables go on', async (_, damage) => {
  const { root } = await smallWarehouse()
  const warehouse = await reopen(root)
  const { files } = await warehouse.log('index_link').snapshot()
  const path = join(root, files[2]!.key)
  writeFileSync(path, damage(readFileSync(path)))
  const read = queryTable(warehouse, 'index_link', 'SELECT count(*) AS n FROM rows')
  await expect(read).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', facts: { file: files[2]!.key } })
  expect(await queryTable(warehouse, 'event', 'SELECT count(*)::INTEGER AS n FROM rows')).toEqual([{ n: 1 }])
  const { violations } = await warehouse.log('index_link').verify()
  expect(violations).toMatchObject([{ rule: 'DATA_FILE_DAMAGED', file: files[2]!.key, version: 3 }])
  expect((await warehouse.log('event').verify()).violations).toEqual([])
})

test('texts of a caller that look like the hash in a commit file do not disturb it', async () => {
  const warehouse = await testWarehouse()
  const tricky = `"commit_sha256":"${'a'.repeat(64)}"\n{"domainMetadata":`
  for (const text of [tricky, JSON.stringify(tricky), JSON.stringify(JSON.stringify(tricky))]) {
    const options = { app_id: text, app_sequence: 1, stamp: { kind: 'wall' }, operation: text } as const
    await warehouse.append('index_link', [linkRow('a', { index_id: text.slice(0, 60) })], options)
  }
  const cold = await reopen(warehouse.root)
  expect(await cold.log('index_link').snapshot()).toEqual(await warehouse.log('index_link').snapshot())
  expect((await cold.log('index_link').verify()).violations).toEqual([])
})

test('a data file or a commit file that is gone is named', async () => {
  const { root } = await smallWarehouse()
  const warehouse = await reopen(root)
  const { files } = await warehouse.log('index_link').snapshot()
  rmSync(join(root, files[0]!.key))
  expect((await warehouse.log('index_link').verify()).violations).toMatchObject([
    { rule: 'DATA_FILE_DAMAGED', file: files[0]!.key, detail: 'it is missing' },
  ])
  rmSync(commitPath(root, 3))
  const { violations } = await warehouse.log('index_link').verify()
  expect(violations.map(({ rule, version }) => [rule, version])).toContainEqual(['LOG_FILE_MISSING', 3])
})

test('a version that was exchanged for a well-formed other one breaks the chain', async () => {
  const { root } = await smallWarehouse()
  const other = await smallWarehouse()
  writeFileSync(commitPath(root, 2), readFileSync(commitPath(other.root, 2)))
  const warehouse = await reopen(root)
  const { violations } = await warehouse.log('index_link').verify()
  expect(violations.map(({ rule, version }) => [rule, version])).toEqual(
    expect.arrayContaining([
      ['HASH_CHAIN', 2],
      ['HASH_CHAIN', 3],
      ['DATA_FILE_DAMAGED', 2],
    ]),
  )
  await expect(warehouse.log('index_link').snapshot()).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
})

test('a file whose rows are not what its log says is found although its hash is right', async () => {
  const warehouse = await smallWarehouse()
  const { parseCommit, commitText, commitKey } = await import('../../../warehouse/log/commit-text.ts')
  const path = commitPath(warehouse.root, 4)
  const { info, clock, actions } = parseCommit('index_link', 4, readFileSync(path))
  const lied = JSON.parse(
    JSON.stringify(actions)
      .replaceAll('\\"numRecords\\":2', '\\"numRecords\\":3')
      .replaceAll('"tidemark.stamp_min":"1768694400000000"', '"tidemark.stamp_min":"1768694400000001"'),
  ) as typeof actions
  const { commit_sha256: _, ...rest } = clock
  writeFileSync(path, commitText(info, rest, lied).text)
  const { violations } = await (await reopen(warehouse.root)).log('index_link').verify()
  expect(violations.map(({ rule }) => rule)).toEqual(['STAMP_ORDER', 'ROW_COUNT', 'PUBLISHED_AT'])
  expect(commitKey('index_link', 4)).toContain('00000000000000000004.json')
})

test('every file of a table is covered: whichever one byte is changed, the audit finds something', async () => {
  const warehouse = await smallWarehouse()
  await warehouse.log('index_link').checkpoint()
  const folder = join(warehouse.root, 'index_link')
  const names = readdirSync(folder, { recursive: true }) as string[]
  const paths = names
    .filter((name) => /\.(json|parquet)$|_last_checkpoint$/.test(name))
    .map((name) => join(folder, name))
  expect(paths).toHaveLength(5 + 4 + 2)
  const auditor = await reopen(warehouse.root)
  for (const path of paths) {
    const whole = readFileSync(path)
    const bytes = Buffer.from(whole)
    bytes[Math.floor(bytes.length * 0.6)]! ^= 32
    writeFileSync(path, bytes)
    expect((await auditor.log('index_link').verify()).violations, path).not.toEqual([])
    writeFileSync(path, whole)
  }
})

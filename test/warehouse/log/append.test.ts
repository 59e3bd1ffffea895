import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvariantError, isServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import type { Store } from '../../../warehouse/store/store.ts'
import { anyText } from '../../support/any-text.ts'
import { sized } from '../../support/sized.ts'
import { linkRow, linkRows, queryTable, recorded, step, testWarehouse } from './fixtures.ts'

test('rows of one commit share one stamp and are numbered as they were given, however the file is sorted', async () => {
  const warehouse = await testWarehouse()
  const done = await warehouse.append('index_link', [linkRow('c'), linkRow('a'), linkRow('b')], step(1))
  expect(done).toMatchObject({ table: 'index_link', version: 1, rows: 3, already_done: false })
  const rows = await queryTable(
    warehouse,
    'index_link',
    'SELECT index_version_id AS id, row_ordinal AS o, epoch_us(published_at)::VARCHAR AS at FROM rows ORDER BY 1',
  )
  const at = String(toMicros(done.published_at))
  expect(rows).toEqual([
    { id: 'a', o: 1, at },
    { id: 'b', o: 2, at },
    { id: 'c', o: 0, at },
  ])
})

test('a step that is already committed is done, by version, stamp and rows of its own commit', async () => {
  const warehouse = await testWarehouse()
  const first = await warehouse.append('index_link', linkRows(2, 'x'), step(1))
  await warehouse.append('index_link', linkRows(5, 'y'), step(2))
  await warehouse.append('index_link', linkRows(1, 'z'), step(1, { kind: 'wall' }, 'other'))
  const again = await warehouse.append('index_link', linkRows(2, 'x'), step(1))
  expect(again).toEqual({ ...first, already_done: true })
  expect((await warehouse.log('index_link').snapshot()).rows).toBe(8)
})

test('the recorded clock is kept to the microsecond, and commit times still increase inside one millisecond', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00.000001Z')))
  const second = await warehouse.append('index_link', [linkRow('b')], step(2, recorded('2026-01-17T00:00:00.000002Z')))
  expect(second.published_at).toBe('2026-01-17T00:00:00.000002Z')
  const { head_stamp, sealed_through, files } = await warehouse.log('index_link').snapshot()
  expect([head_stamp, sealed_through]).toEqual([toMicros(second.published_at), toMicros(second.published_at)])
  expect(files.map((file) => file.stamp_max - file.stamp_min)).toEqual([0, 0])
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('the recorded clock is refused at or before what is published, by table, instant and head', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00Z')))
  for (const at of ['2026-01-17T00:00:00Z', '2026-01-16T23:59:59.999999Z']) {
    const refused = warehouse.append('index_link', [linkRow('b')], step(2, recorded(at)))
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_CLOCK_REFUSED',
      facts: { table: 'index_link', head: '2026-01-17T00:00:00Z' },
    })
  }
  await warehouse.append('index_link', [linkRow('b')], step(2, recorded('2026-01-17T00:00:00.000001Z')))
})

test('a wall stamp is at least one millisecond after the head and a whole millisecond', async () => {
  let now = toMicros('2026-01-17T00:00:00.000900Z')
  const warehouse = await testWarehouse({ ports: { now: async () => now, without_clock_guards: true } })
  const stamps: string[] = []
  for (const [sequence, forward] of [0, 0, -5_000_000, 2_000_000].entries()) {
    now += forward
    stamps.push((await warehouse.append('index_link', [linkRow(`v${sequence}`)], step(sequence))).published_at)
  }
  expect(stamps).toEqual([
    '2026-01-17T00:00:00Z',
    '2026-01-17T00:00:00.001Z',
    '2026-01-17T00:00:00.002Z', // the clock went back
    '2026-01-17T00:00:00.003Z',
  ])
})

test('a wall clock more than a second off, or a table more than a second ahead, is refused', async () => {
  for (const [off_ms, refused] of [
    [1_500, true],
    [-1_500, true],
    [500, false],
  ] as const) {
    const warehouse = await testWarehouse({ ports: { now: async () => (Date.now() + off_ms) * 1000 } })
    const written = warehouse.append('index_link', [linkRow('a')], step(1)).then(
      () => false,
      (error) => isServiceError(error, 'WAREHOUSE_CLOCK_SKEW'),
    )
    expect(await written).toBe(refused)
  }
  const warehouse = await testWarehouse()
  const ahead = (Date.now() + 3_600_000) * 1000
  await warehouse.append('index_link', [linkRow('a')], step(1, { kind: 'recorded', at: ahead }))
  await expect(warehouse.append('index_link', [linkRow('b')], step(2))).rejects.toMatchObject({
    code: 'WAREHOUSE_CLOCK_SKEW',
  })
})

test.each([
  ['an unknown column', { link_facto: '1' }, /index_link\.link_facto of row 1 is not a column/],
  ['a missing required value', { link_at: null }, /index_link\.link_at of row 1 is null/],
  ['a fraction digit too many', { link_factor: '0.1234567890123' }, /index_link\.link_factor is "0\.1234567890123"/],
  ['a whole digit too many', { link_factor: '100000000000000000000000000' }, /at most 26 digits before/],
  ['a number for a decimal', { link_factor: 1.5 }, /index_link\.link_factor is 1\.5/],
  ['an exponent', { link_factor: '1e2' }, /index_link\.link_factor is "1e2"/],
  ['an instant without a zone', { link_at: '2026-01-01T00:00:00' }, /index_link\.link_at is "2026-01-01T00:00:00"/],
  ['an impossible day', { link_at: '2026-02-30T00:00:00Z' }, /index_link\.link_at is "2026-02-30T00:00:00Z"/],
  ['a fraction for an integer', { revision: 1.5 }, /index_link\.revision is 1\.5/],
  ['an integer past 32 bits', { revision: 2 ** 31 }, /index_link\.revision is 2147483648/],
  ['a number for text', { correction_reason: 7 }, /index_link\.correction_reason is 7/],
  ['half a surrogate pair', { correction_reason: 'a\ud800b' }, /well-formed text/],
])('%s is refused before anything is written', async (_, wrong, message) => {
  const warehouse = await testWarehouse()
  const rows = [linkRow('good'), linkRow('bad', wrong)]
  await expect(warehouse.append('index_link', rows, step(1))).rejects.toThrow(message)
  await expect(warehouse.append('index_link', rows, step(1))).rejects.toThrow(InvariantError)
  expect((await warehouse.log('index_link').snapshot()).rows).toBe(0)
  await warehouse.append('index_link', [linkRow('good')], step(1))
  expect((await warehouse.log('index_link').snapshot()).rows).toBe(1)
})

test('unknown and ill-typed fields inside lists of structs are refused with their path', async () => {
  const warehouse = await testWarehouse()
  const level = (input: object) => ({
    observation_id: 'iob_1',
    revision: 1,
    index_id: 'idx_a',
    index_version_id: 'idv_a',
    tick_at: '2026-01-01T00:00:00Z',
    quality_state: 'valid',
    record_hash: 'h',
    inputs: [{ constituent_id: 'con_a', ...input }],
  })
  for (const [input, message] of [
    [{ weight: '1' }, /index_observation\.inputs\[\]\.weight is "weight"/],
    [{ target_weight: '0.12345678901' }, /index_observation\.inputs\[\]\.target_weight is "0\.12345678901"/],
    [{ reason_codes: ['a', 1] }, /index_observation\.inputs\[\]\.reason_codes\[\] is 1/],
  ] as const) {
    await expect(warehouse.append('index_observation', [level(input)], step(1))).rejects.toThrow(message)
  }
})

test('many appends at once in one process queue up: every one commits once, in stamps that increase', async () => {
  const warehouse = await testWarehouse()
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      warehouse.append('index_link', linkRows(3, `n${i}`), step(1, { kind: 'wall' }, `app${i}`)),
    ),
  )
  const stamps = all.map((done) => toMicros(done.published_at))
  expect(new Set(stamps).size).toBe(30)
  const { version, rows } = await warehouse.log('index_link').snapshot()
  expect([version, rows]).toEqual([30, 90])
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('the same step from several processes at once is stored once, and all are told the same commit', async () => {
  const first = await testWarehouse()
  const others = await Promise.all([1, 2, 3].map(() => testWarehouse({ root: first.root })))
  for (let sequence = 1; sequence <= 5; sequence++) {
    const all = await Promise.all(
      [first, ...others].map((warehouse) =>
        warehouse.append('index_link', linkRows(2, `s${sequence}`), step(sequence)),
      ),
    )
    expect(all.filter((done) => !done.already_done)).toHaveLength(1)
    expect(new Set(all.map(({ version, published_at }) => `${version} ${published_at}`)).size).toBe(1)
  }
  expect((await first.log('index_link').snapshot()).rows).toBe(10)
})

// Each place where an append asks for the time is a place where others may come first.
test.each([1, 2, 3, 4])(
  'another version that a reader takes in at pause %i of a commit does not let it slip in behind with an old stamp',
  async (pause) => {
    const other = await testWarehouse()
    const store = openLocalStore(other.root)
    let calls = 0
    const late: Store = {
      ...store,
      async now() {
        if (++calls === pause) {
          await other.append('index_link', [linkRow('theirs')], step(1, { kind: 'wall' }, 'other'))
          await warehouse.log('index_link').snapshot()
        }
        return store.now()
      },
    }
    const warehouse = await testWarehouse({ root: other.root, ports: { store: late } })
    expect(await warehouse.append('index_link', [linkRow('mine')], step(1))).toMatchObject({
      version: 2,
      already_done: false,
    })
    expect(calls).toBeGreaterThanOrEqual(4)
    expect((await other.log('index_link').verify()).violations).toEqual([])
  },
)

const decimalText = fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 38n - 1n })).map(([negative, n]) => {
  const digits = n.toString().padStart(13, '0')
  const text = `${digits.slice(0, -12)}.${digits.slice(-12)}`
  return negative && n > 0n ? `-${text}` : text
})

test('property: what is read back is what was given, to the last digit, microsecond and code point', async () => {
  const warehouse = await testWarehouse()
  let sequence = 0
  const instant = fc.integer({ min: 0, max: 7_258_118_399_999_999 }).map((micros) => {
    const text = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)
    return `${text}.${String(micros % 1_000_000).padStart(6, '0')}Z`
  })
  const text = anyText()
  const row = fc.record({ link_factor: decimalText, link_at: instant, correction_reason: fc.option(text) })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      const given = rows.map((more, i) => linkRow(String(i), more))
      const { published_at } = await warehouse.append('index_link', given, step(++sequence))
      const read = await queryTable(
        warehouse,
        'index_link',
        `SELECT link_factor::VARCHAR AS link_factor, strftime(link_at, '%Y-%m-%dT%H:%M:%S.%fZ') AS link_at, correction_reason FROM rows
         WHERE epoch_us(published_at) = ${toMicros(published_at)} ORDER BY row_ordinal`,
      )
      expect(read).toEqual(rows)
    }),
    { numRuns: sized(5, 25) },
  )
})

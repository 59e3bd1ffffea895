import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvariantError } from '../../../primitives/errors.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { AppendOptions, Warehouse } from '../../../warehouse/warehouse.ts'
import { sized } from '../../support/sized.ts'
import { linkRow, linkRows, queryTable, step, testWarehouse } from './fixtures.ts'

const WALL = { kind: 'wall' } as const
/** A step of a writer that shares commits. */
const shared = (app_id: string, app_sequence = 1, more: Partial<AppendOptions> = {}): AppendOptions => ({
  ...step(app_sequence, WALL, app_id),
  apart: app_id,
  ...more,
})

const storedIds = async (warehouse: Warehouse) => {
  const sql = 'SELECT index_version_id AS id FROM rows ORDER BY published_at, row_ordinal'
  return (await queryTable(warehouse, 'index_link', sql)).map(({ id }) => id)
}

test('appends at once share a commit, a file and a stamp; each is found again with its own rows', async () => {
  const warehouse = await testWarehouse()
  const names = ['a', 'b', 'c']
  const appendAll = (to: Warehouse) =>
    Promise.all(names.map((name, n) => to.append('index_link', linkRows(n + 1, name), shared(name))))
  const all = await appendAll(warehouse)
  expect(all.map(({ version, rows, published_at }) => [version, rows, published_at])).toEqual(
    [1, 2, 3].map((rows) => [1, rows, all[0]!.published_at]),
  )
  expect(await storedIds(warehouse)).toEqual(['a-0', 'b-0', 'b-1', 'c-0', 'c-1', 'c-2'])
  const cold = await testWarehouse({ root: warehouse.root, create: false })
  for (const one of [warehouse, cold]) {
    expect(await appendAll(one)).toEqual(all.map((done) => ({ ...done, already_done: true })))
  }
  const { files, version } = await warehouse.log('index_link').snapshot()
  expect([files.length, version]).toEqual([1, 1])
  expect((await warehouse.log('index_link').verify()).violations).toEqual([])
})

test('an append shares no commit with one of its name, of its application, or without a name', async () => {
  const warehouse = await testWarehouse()
  const all = await Promise.all([
    warehouse.append('index_link', [linkRow('a')], shared('a')),
    warehouse.append('index_link', [linkRow('a2')], shared('other', 1, { apart: 'a' })),
    warehouse.append('index_link', [linkRow('a3')], shared('a', 2, { apart: 'third' })),
    warehouse.append('index_link', [linkRow('b')], step(1, WALL, 'b')),
    warehouse.append('index_link', [linkRow('c')], shared('c', 1, { operation: 'OTHER' })),
    warehouse.append('index_link', [linkRow('d')], shared('d')),
  ])
  expect(all.map(({ version }) => version)).toEqual([1, 2, 2, 3, 4, 1])
})

test('an append whose guard fails is refused alone', async () => {
  const warehouse = await testWarehouse()
  const before = await warehouse.append('index_link', [linkRow('before')], step(1))
  const head = toMicros(before.published_at)
  const guarded = (name: string, unless_published_after: Micros) =>
    warehouse.append('index_link', [linkRow(name)], shared(name, 1, { unless_published_after }))
  const all = await Promise.all([guarded('a', head), guarded('b', head - 1), guarded('c', head)])
  expect(all.map(({ overtaken, version }) => [overtaken, version])).toEqual([
    [false, 2],
    [true, 1],
    [false, 2],
  ])
  expect(await storedIds(warehouse)).toEqual(['before', 'a', 'c'])
})

test('an append with a row that does not fit fails alone, by its own row', async () => {
  const warehouse = await testWarehouse()
  const bad = [linkRow('good'), linkRow('bad', { link_factor: '1e2' })]
  const [a, b, c] = await Promise.allSettled([
    warehouse.append('index_link', linkRows(2, 'a'), shared('a')),
    warehouse.append('index_link', bad, shared('b')),
    warehouse.append('index_link', linkRows(1, 'c'), shared('c')),
  ])
  expect([a, c].map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const { reason } = b as PromiseRejectedResult
  expect(reason).toBeInstanceOf(InvariantError)
  expect(reason.message).toMatch(/link_factor is "1e2"/)
  expect(await storedIds(warehouse)).toEqual(['a-0', 'a-1', 'c-0'])
})

type Call = {
  readonly writer: number
  readonly rows: number
  readonly kind: 'new' | 'repeated' | 'overtaken' | 'bad'
}

/** Appends of several writers; each writer waits for one append before it makes the next. */
const calls = fc.array(
  fc.record({
    writer: fc.integer({ min: 0, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom('new', 'new', 'new', 'repeated', 'overtaken', 'bad'),
  }) satisfies fc.Arbitrary<Call>,
  { minLength: 5, maxLength: 40 },
)

/** Makes the calls, and returns each answer without what depends on the clock. */
async function perform(warehouse: Warehouse, given: readonly Call[], at_once: boolean): Promise<unknown[]> {
  const answers: unknown[] = []
  const last = new Map<number, Promise<void>>()
  const sequences = new Map<number, number>()
  for (const [n, { writer, rows, kind }] of given.entries()) {
    const again = kind === 'repeated' && sequences.has(writer)
    const sequence = (sequences.get(writer) ?? 0) + (again ? 0 : 1)
    sequences.set(writer, sequence)
    const make = async () => {
      const guard = kind === 'overtaken' ? { unless_published_after: 0 } : {}
      const prefix = `w${writer}-${again ? 'again' : n}`
      const good = linkRows(rows, prefix)
      const list = kind === 'bad' ? [...good, linkRow('bad', { revision: 1.5 })] : good
      answers[n] = await warehouse.append('index_link', list, shared(`w${writer}`, sequence, guard)).then(
        ({ already_done, overtaken, rows: stored }) => ({ already_done, overtaken, stored }),
        (error: Error) => error.message,
      )
    }
    const made = (last.get(writer) ?? Promise.resolve()).then(make)
    last.set(writer, made)
    if (!at_once) await made
  }
  await Promise.all(last.values())
  return answers
}

test('property: appends at once answer and store what they do one by one, in fewer commits', async () => {
  let [commits, commits_alone] = [0, 0]
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      const [together, alone] = [await testWarehouse(), await testWarehouse()]
      for (const one of [together, alone]) await one.append('index_link', [linkRow('first')], step(1))
      expect(await perform(together, given, true)).toEqual(await perform(alone, given, false))
      expect((await storedIds(together)).toSorted()).toEqual((await storedIds(alone)).toSorted())
      const { violations } = await together.log('index_link').verify()
      expect(violations).toEqual([])
      commits += (await together.log('index_link').snapshot()).version
      commits_alone += (await alone.log('index_link').snapshot()).version
    }),
    { numRuns: sized(5, 40) },
  )
  console.info(`${commits} commits at once, ${commits_alone} one by one`)
  expect(commits).toBeLessThan(commits_alone)
})

test('four processes whose appends share commits lose and double nothing', async () => {
  const first = await testWarehouse()
  const others = await Promise.all([1, 2, 3].map(() => testWarehouse({ root: first.root })))
  const names = ['a', 'b', 'c']
  for (let sequence = 1; sequence <= 5; sequence += 1) {
    const all = await Promise.all(
      [first, ...others].flatMap((warehouse) =>
        names.map((name) => warehouse.append('index_link', linkRows(2, `${name}${sequence}`), shared(name, sequence))),
      ),
    )
    expect(all.filter(({ already_done }) => !already_done)).toHaveLength(names.length)
  }
  expect((await first.log('index_link').snapshot()).rows).toBe(30)
  expect((await first.log('index_link').verify()).violations).toEqual([])
})

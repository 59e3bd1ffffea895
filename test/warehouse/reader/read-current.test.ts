import { expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import type { HistorySource } from '../../../warehouse/reader/history/history-source.ts'
import { readCurrent } from '../../../warehouse/reader/history/read-current.ts'
import { indexSeries } from '../../../warehouse/reader/history/series.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { LiveFile } from '../../../warehouse/warehouse.ts'

const DAY = { least: '2026-01-02T00:00:00.000000Z', greatest: '2026-01-02T23:59:00.000000Z' }

/** A file of one day; `revision`: the greatest that its log states. */
function dayFile(name: string, revision: number): LiveFile {
  const stats = JSON.stringify({
    numRecords: 10,
    minValues: { tick_at: DAY.least, revision: 1 },
    maxValues: { tick_at: DAY.greatest, revision },
    nullCount: { tick_at: 0, revision: 0 },
  })
  return { key: name, rows: 10, stats, stamp_min: 0, stamp_max: 1 } as unknown as LiveFile
}

/** A row whose place tells what it supersedes. */
const secondRow = (
  index_id: string,
  tick_at: string,
  revision = 2,
  published_at = '2026-01-03T00:00:00.000000Z',
): Row => ({
  index_id,
  tick_at,
  revision,
  published_at,
  row_ordinal: 0,
})

/** Files in which some indexes have second rows, and what is asked of them. */
function world(revised: readonly string[], files: readonly LiveFile[]) {
  const asked: string[] = []
  const source: Pick<HistorySource, 'query'> = {
    async query({ files: some }, sql) {
      asked.push(sql(() => some.map(({ key }) => key).join(' ')))
      return revised.map((index_id) => secondRow(index_id, DAY.least))
    },
  }
  const readOf = async (index_id: string) => {
    const reads: string[][] = []
    const read = async (deciding: readonly LiveFile[]): Promise<Row[]> => {
      reads.push(deciding.map(({ key }) => key))
      return [{ decided_by: deciding.length }]
    }
    const series = indexSeries(index_id)
    const rows = await readCurrent(
      source as HistorySource,
      { series, chunk: files.slice(0, 1), files, page: null },
      read,
    )
    return { rows, reads }
  }
  return { asked, readOf }
}

test('a file without a second row decides nothing, and is not asked', async () => {
  const { asked, readOf } = world([], [dayFile('plain', 1)])
  expect(await readOf('idx_a')).toEqual({ rows: [{ decided_by: 0 }], reads: [[]] })
  expect(asked).toEqual([])
})

test('a key without a second row is read alone, one with is read beside the files that decide; files are asked once', async () => {
  const { asked, readOf } = world(['idx_b'], [dayFile('one', 1), dayFile('two', 2), dayFile('three', 3)])
  expect(await readOf('idx_a')).toEqual({ rows: [{ decided_by: 0 }], reads: [[]] })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatch(/select distinct "index_id", "tick_at", .*\s+from two three\s+where revision > 1/)
  expect(await readOf('idx_b')).toEqual({ rows: [{ decided_by: 2 }], reads: [['two', 'three']] })
  expect(await readOf('idx_c')).toEqual({ rows: [{ decided_by: 0 }], reads: [[]] })
  expect(asked).toHaveLength(1)
})

test('where the first read finds that the key has second rows, its rows are not given', async () => {
  const { readOf } = world(['idx_a'], [dayFile('first', 2)])
  expect(await readOf('idx_a')).toEqual({ rows: [{ decided_by: 1 }], reads: [[], ['first']] })
})

test('of more than 16 files that nothing is known of, the second rows are looked for at once', async () => {
  const files = (count: number) => Array.from({ length: count }, (_, n) => dayFile(`${count}_${n}`, 2))
  const many = world([], files(17))
  expect((await many.readOf('idx_a')).rows).toEqual([{ decided_by: 17 }])
  expect(many.asked).toEqual([])
  const few = world([], files(16))
  expect((await few.readOf('idx_a')).rows).toEqual([{ decided_by: 0 }])
})

test('more than 2000 second rows are not kept: each key may have some', async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `idx_${n}`)
  expect((await world(keys(2000), [dayFile('full', 2)]).readOf('idx_other')).rows).toEqual([{ decided_by: 0 }])
  expect((await world(keys(2001), [dayFile('over', 2)]).readOf('idx_other')).rows).toEqual([{ decided_by: 1 }])
})

/** A page of `limit` from one file with second rows: which rows it has, and what was read. */
async function pageOf(limit: number, stored: readonly Row[], second: readonly Row[], as_of: string) {
  const reads: { readonly deciding: number; readonly spare: number }[] = []
  const source: Pick<HistorySource, 'query'> = { query: async () => [...second] }
  const files = [dayFile('revised', 2)]
  const read = async (deciding: readonly LiveFile[], spare: number): Promise<Row[]> => {
    reads.push({ deciding: deciding.length, spare })
    return stored.slice(0, limit + spare)
  }
  const page = { limit, as_of: toMicros(as_of) }
  const readOnce = () =>
    readCurrent(source as HistorySource, { series: indexSeries('idx_a'), chunk: files, files, page }, read)
  return { rows: await readOnce(), again: await readOnce(), reads }
}

const tick = (n: number) => `2026-01-02T00:0${n}:00.000000Z`
const firstRow = (n: number): Row => secondRow('idx_a', tick(n), 1, '2026-01-02T12:00:00.000000Z')
const LATE = '2026-01-04T00:00:00.000000Z'

test('a page leaves out what is superseded without a second read; a row of the same place is not superseded', async () => {
  const second = secondRow('idx_a', tick(1))
  const { rows, again, reads } = await pageOf(2, [firstRow(0), firstRow(1), second], [second], LATE)
  expect(rows).toEqual([firstRow(0), second])
  expect(again).toEqual(rows)
  expect(reads).toEqual([
    { deciding: 0, spare: 1 },
    { deciding: 0, spare: 1 },
  ])
})

test('a second row published after as_of supersedes nothing, at as_of it does', async () => {
  const second = secondRow('idx_a', tick(0))
  const stored = [firstRow(0), firstRow(1)]
  expect((await pageOf(2, stored, [second], '2026-01-02T23:59:59.999999Z')).rows).toEqual(stored)
  expect((await pageOf(2, stored, [second], '2026-01-03T00:00:00.000000Z')).rows).toEqual([firstRow(1)])
})

test('where too many of the rows read are superseded, the files decide', async () => {
  const stored = Array.from({ length: 6 }, (_, n) => firstRow(n))
  const { reads } = await pageOf(
    4,
    stored,
    [0, 1, 2].map((n) => secondRow('idx_a', tick(n))),
    LATE,
  )
  expect(reads.slice(0, 2)).toEqual([
    { deciding: 0, spare: 2 },
    { deciding: 1, spare: 0 },
  ])
})

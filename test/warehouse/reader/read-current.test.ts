import { expect, test } from 'vitest'
import type { HistorySource } from '../../../warehouse/reader/history/history-source.ts'
import { readCurrent } from '../../../warehouse/reader/history/read-current.ts'
import { learnAhead } from '../../../warehouse/reader/history/revised-keys.ts'
import { indexSeries } from '../../../warehouse/reader/history/series.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { LiveFile, Snapshot } from '../../../warehouse/warehouse.ts'

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

/** Files in which some indexes have second rows, and what is asked of them. */
function world(revised: readonly string[], files: readonly LiveFile[]) {
  const asked: string[] = []
  const source: Pick<HistorySource, 'query' | 'snapshot'> = {
    snapshot: async (table) => ({ files: table === 'index_observation' ? files : [] }) as unknown as Snapshot,
    async query({ files: some }, sql) {
      asked.push(sql(() => some.map(({ key }) => key).join(' ')))
      return revised.map((revised_key) => ({ revised_key }))
    },
  }
  const readOf = async (index_id: string) => {
    const reads: string[][] = []
    const read = async (deciding: readonly LiveFile[]): Promise<Row[]> => {
      reads.push(deciding.map(({ key }) => key))
      return [{ decided_by: deciding.length }]
    }
    const series = indexSeries(index_id)
    const rows = await readCurrent(source as HistorySource, { series, chunk: files.slice(0, 1), files }, read)
    return { rows, reads }
  }
  return { asked, readOf, source: source as HistorySource }
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
  expect(asked[0]).toMatch(/select distinct "index_id" as revised_key\s+from two three\s+where revision > 1/)
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

test('more than 1000 keys are not kept: each may have second rows', async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `idx_${n}`)
  expect((await world(keys(1000), [dayFile('full', 2)]).readOf('idx_other')).rows).toEqual([{ decided_by: 0 }])
  expect((await world(keys(1001), [dayFile('over', 2)]).readOf('idx_other')).rows).toEqual([{ decided_by: 1 }])
})

test('what was learned ahead, file by file and the newest first, is not asked by a read, which reads once', async () => {
  const [older, newer] = [dayFile('older', 2), { ...dayFile('newer', 3), stamp_max: 2 }]
  const few = { ...dayFile('few', 2), rows: 5 }
  const { asked, readOf, source } = world(['idx_b'], [older, newer, few, dayFile('plain', 1)])
  const end = new AbortController()
  const learning = learnAhead(source, 5, end.signal)
  await expect.poll(() => asked.length).toBe(2)
  end.abort()
  await learning
  expect(asked.map((sql) => /from (\w+)/.exec(sql)![1])).toEqual(['newer', 'older'])
  expect(await readOf('idx_b')).toEqual({ rows: [{ decided_by: 3 }], reads: [['older', 'newer', 'few']] })
  expect(asked).toHaveLength(2)
})

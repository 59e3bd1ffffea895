import { expect, test } from 'vitest'
import { openChunkJournal } from '../../workflows/activities/backfill-store.ts'
import { tempFolder } from '../support/temp-folder.ts'

const stored = (records_new: number, marks_published = 0) => ({ records_new, records_revised: 0, marks_published })

test('attempts at a chunk are summed, each by its last count, also after the process that made one has ended', async () => {
  const home = tempFolder()
  const killed = openChunkJournal(home, 'bkf_a').counts('M 2026-01-01')
  killed.note(stored(2))
  killed.note(stored(5, 1))
  expect(await killed.sum()).toEqual(stored(5, 1))
  const next = openChunkJournal(home, 'bkf_a')
  const other = next.counts('M 2026-01-02')
  other.note(stored(7))
  const again = next.counts('M 2026-01-01')
  expect(await again.sum()).toEqual(stored(5, 1))
  again.note(stored(3))
  expect(await again.sum()).toEqual(stored(8, 1))
  expect(await next.find('M 2026-01-01')).toBeNull()
  await next.remove()
  expect(await openChunkJournal(home, 'bkf_a').counts('M 2026-01-01').sum()).toEqual(stored(0))
})

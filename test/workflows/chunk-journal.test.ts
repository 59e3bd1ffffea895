import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJournal } from '../../operations/backfill/backfill-journal.ts'
import { backfillIdOf } from '../../operations/backfill/backfill-subject.ts'
import { moveHomeWork } from '../../operations/backfill/move-home-work.ts'
import { openLocalStore } from '../../warehouse/store/local-store.ts'
import { backfillFolder, nameOf } from '../../warehouse/store/work-keys.ts'
import { readEarlierPlan, readPlan, storePlan } from '../../workflows/activities/backfill-plans.ts'
import { openChunkJournal } from '../../workflows/activities/chunk-journal.ts'
import { readChunkNotes } from '../../workflows/activities/chunk-notes.ts'
import { openMemoryStore, startObjectServer } from '../support/object-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import * as scenarios from './support/scenarios.ts'

const CHUNK = { ...scenarios.CHUNK, marks_published: 0 }
const stored = (records_new: number, marks_published = 0) => ({ records_new, records_revised: 0, marks_published })
const SUBJECT = {
  kind: 'index',
  request: { index_id: 'idx_a', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
} as const
const PARTS = [{ subject: 'idx_a', from: SUBJECT.request.from, to: SUBJECT.request.to, chunks: 1 }]

test('attempts at a chunk are summed, each by its last count, also after the process that made one has ended', async () => {
  const root = tempFolder()
  const journal = () => openChunkJournal(openLocalStore(root), 'bkf_a')
  const killed = (await journal()).counts('M 2026-01-01')
  killed.note(stored(2))
  killed.note(stored(5, 1))
  expect(await killed.sum()).toEqual(stored(5, 1))
  const next = await journal()
  const other = next.counts('M 2026-01-02')
  other.note(stored(7))
  const again = next.counts('M 2026-01-01')
  expect(await again.sum()).toEqual(stored(5, 1))
  again.note(stored(3))
  expect(await again.sum()).toEqual(stored(8, 1))
  expect(await next.find('M 2026-01-01')).toBeNull()
  await next.remove()
  expect(await (await journal()).counts('M 2026-01-01').sum()).toEqual(stored(0))
})

const server = await startObjectServer()
afterAll(() => server.close())

test.each([
  ['folder', (root: string) => openLocalStore(root)],
  ['bucket', (root: string) => openMemoryStore(server.url, 'journals', root)],
])(
  'hosts of a %s that write at the same time lose no line; one that is late writes nothing into the next journal',
  async (_, open) => {
    const root = tempFolder()
    const hosts = await Promise.all([1, 2, 3].map(() => openChunkJournal(open(root), 'bkf_a')))
    const keys = Array.from({ length: 15 }, (_, n) => `${'M'.repeat(60_000)} ${n}`) // several segments of each
    await Promise.all(keys.map((key, n) => hosts[n % 3]!.add(key, CHUNK)))
    for (const key of keys) expect(await hosts[0]!.find(key)).toEqual(CHUNK)
    expect((await readChunkNotes(open(root), 'bkf_a')).sums.chunks_done).toBe(15)
    await hosts[1]!.remove()
    await hosts[0]!.add('late', CHUNK)
    expect((await readChunkNotes(open(root), 'bkf_a')).sums.chunks_done).toBe(0)
  },
)

test('what an earlier release kept in a home is moved once, and continued on any host', async () => {
  const [root, home] = [tempFolder(), tempFolder()]
  const backfill_id = backfillIdOf(SUBJECT)
  const folder = join(home, 'backfills')
  mkdirSync(folder)
  const name = nameOf(backfill_id)
  writeFileSync(join(folder, `${name}.plan.json`), JSON.stringify({ subject: SUBJECT, parts: PARTS }))
  writeFileSync(join(folder, `${name}.chunks.ndjson`), `${JSON.stringify(['idx_a 1', CHUNK])}\n["idx_a 2",{"rec`)
  const journal = { format: 1, backfill_id, complete: false, started_at: SUBJECT.request.from, done: ['idx_a 1'] }
  writeFileSync(join(folder, `${backfill_id}.json`), JSON.stringify(journal))
  writeFileSync(join(folder, `${backfill_id}.lock`), '')
  const store = openLocalStore(root)
  await Promise.all([moveHomeWork(home, store), moveHomeWork(home, openLocalStore(root))])
  await moveHomeWork(join(home, 'none'), store)
  expect(readdirSync(folder)).toEqual([`${backfill_id}.lock`])
  const moved = await openChunkJournal(store, backfill_id)
  expect([await moved.find('idx_a 1'), await moved.find('idx_a 2')]).toEqual([CHUNK, null])
  expect(await readEarlierPlan(store, backfill_id, SUBJECT, () => Promise.reject(new Error('planned')))).toEqual(PARTS)
  expect(await readJournal(store, backfill_id)).toMatchObject(journal)
  await moved.remove()
  expect(existsSync(join(root, backfillFolder(backfill_id), 'journal.json'))).toBe(false)
})

test('a plan is read by the name of its content: hosts that plan differently page each over their own', async () => {
  const store = openLocalStore(tempFolder())
  const [first, second] = [PARTS, [...PARTS, ...PARTS]]
  const ids = [first, second, first].map((parts) => storePlan(store, 'bkf_a', { subject: SUBJECT, parts }))
  const [a, b, again] = await Promise.all(ids)
  expect(again).toBe(a)
  expect([await readPlan(store, 'bkf_a', a!), await readPlan(store, 'bkf_a', b!)]).toEqual([first, second])
  await expect(readPlan(store, 'bkf_b', a!)).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
  const planned = [first, second].map((parts) => readEarlierPlan(store, 'bkf_c', SUBJECT, async () => parts))
  const [x, y] = await Promise.all(planned)
  expect(x).toEqual(y)
})

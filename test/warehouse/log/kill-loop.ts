import { expect } from 'vitest'
import type { ObjectStoreAccess } from '../../../warehouse/store/s3/object-store-access.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import type { WriterTask } from './children/append-writer.ts'
import { queryTable, startChild, testWarehouse } from './fixtures.ts'
import { rowsOfStep } from './rows.ts'

/** Points of a commit at which a writer kills itself; null: killed from outside at a random instant. */
const POINTS = ['data-written', 'before-link', 'after-link', null] as const

type Progress = { acknowledged: number; already_done: number; kills: number }

type Victims = Pick<WriterTask, 'root' | 'access' | 'fellows' | 'app_id'> & {
  readonly kills: number
  readonly first_point: number
}

/** Starts one writer after another and kills each with SIGKILL; the next begins at the first step that was not acknowledged. */
async function killWriters({ kills, first_point, ...writer }: Victims): Promise<Progress> {
  const progress: Progress = { acknowledged: 0, already_done: 0, kills: 0 }
  for (let i = 0; i < kills; i++) {
    const point = POINTS[(first_point + i) % POINTS.length]!
    const task: WriterTask = {
      ...writer,
      first_sequence: progress.acknowledged + 1,
      steps: 1_000_000,
    }
    const child = startChild(
      'append-writer.ts',
      point === null ? task : { ...task, die: { point, time: 1 + Math.floor(Math.random() * 12) } },
    )
    if (point === null) {
      await child.printed(1)
      setTimeout(child.kill, Math.random() * 120)
    }
    expect(await child.ended).toBe('SIGKILL')
    for (const line of child.lines) {
      const { sequence, already_done } = JSON.parse(line) as { sequence: number; already_done: boolean }
      expect(sequence).toBe(progress.acknowledged + 1)
      progress.acknowledged = sequence
      if (already_done) progress.already_done++
    }
    progress.kills++
  }
  return progress
}

/** Every step is there whole or not at all, once; every acknowledged one is there; at most one more is (killed before its answer). */
async function expectExactRows(warehouse: Warehouse, app_id: string, acknowledged: number): Promise<void> {
  const rows = await queryTable(
    warehouse,
    'index_link',
    `SELECT split_part(index_version_id, '-', -2)::INTEGER AS step, count(*)::INTEGER AS n, count(DISTINCT index_version_id)::INTEGER AS ids
     FROM rows WHERE index_version_id LIKE '${app_id}-%' GROUP BY step ORDER BY step`,
  )
  const steps = rows.length
  expect([acknowledged, acknowledged + 1]).toContain(steps)
  const expected = Array.from({ length: steps }, (_, i) => ({
    step: i + 1,
    n: rowsOfStep(i + 1),
    ids: rowsOfStep(i + 1),
  }))
  expect(rows).toEqual(expected)
}

type KillOptions = {
  /** Names of appends that each step of a writer makes at once, and that share commits. */
  readonly fellows?: readonly string[]
  /** Warehouse in an object store, and the writers' access to it. */
  readonly store?: { readonly root: string; readonly access: ObjectStoreAccess }
}

/**
 * Two writers of one table, each killed `kills` times. Afterwards the table has exactly the rows that were asked for and its log has no
 * violation, also for a cold start.
 */
export async function killLoop(kills: number, { fellows, store }: KillOptions = {}): Promise<string> {
  const warehouse = await testWarehouse(store === undefined ? {} : { root: store.root })
  const apps = ['app-a', 'app-b']
  // With two kills of each, every point is reached.
  const victims = apps.map((app_id, n): Victims => {
    const writer = { root: warehouse.root, app_id, kills, first_point: n * 2 }
    return { ...writer, ...(fellows && { fellows }), ...(store && { access: store.access }) }
  })
  const progress = await Promise.all(victims.map(killWriters))
  for (const [i, app_id] of apps.entries())
    for (const fellow of fellows ?? [''])
      await expectExactRows(warehouse, `${app_id}${fellow}`, progress[i]!.acknowledged)
  const cold = await testWarehouse({ root: warehouse.root, create: false })
  const log = cold.log('index_link')
  const { violations, commits, rows } = await log.verify()
  expect(violations).toEqual([])
  expect(await log.snapshot()).toEqual(await warehouse.log('index_link').snapshot())
  const sum = (of: keyof Progress) => progress.reduce((total, one) => total + one[of], 0)
  return `${sum('kills')} kills: ${sum('acknowledged')} steps acknowledged, ${sum('already_done')} found done by a retry, ${commits} commits, ${rows} rows, none lost or doubled`
}

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentOfFile } from '../../operations/governance/change-of-file.ts'
import { importArchive } from '../../operations/import/import-archive.ts'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type ShortRow, valueLine, writeArchive } from './archive-folder.ts'
import { governedIndex, january, PEOPLE } from './governed-index.ts'

/** Revised values: one for ticks of the past, and one for ticks of the last hours. */
export const LATE: readonly ShortRow[] = [['s1', 'B', 2, '08T06:00', '0.5']]
export const RECENT: readonly ShortRow[] = [['s1', 'A', 9, '09T06:00', '0.9']]

let made: Promise<string> | undefined

/** Makes a governed index with levels of nine days; once in this process, in which alone its people have their keys. */
async function levelsOfNineDays(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-restatements-')) // removed with the folder of the run
  const world = await governedIndex(folder)
  await world.govern()
  await world.compute(january(1), january(10))
  // Values are published six hours after their tick, so two levels are corrected before anybody votes.
  await correct(world.warehouse)
  await world.warehouse.close()
  return folder
}

/** A governed index with levels of nine days. Late data shows that some of them are wrong. */
export async function restatementWorld(folder: string, { is_adopted = true } = {}) {
  made ??= levelsOfNineDays()
  const world = await governedIndex(folder, await made)
  if (is_adopted) await world.adopt(january(10) + 60_000_000)
  const load = (name: string, rows: readonly ShortRow[]) => loadRows(world.warehouse, join(folder, name), rows)
  return {
    ...world,
    load,
    propose: (from = january(1), to = january(8)) => proposeRestatement(world, folder, from, to),
    proposeContent: (wish: Parameters<typeof world.propose>[1]) => world.propose(PEOPLE.ann, wish),
    contentOf: contentIn(folder, world.warehouse),
    form: restatementForm(folder, january(1), january(8)),
  }
}

async function loadRows(warehouse: Warehouse, folder: string, rows: readonly ShortRow[]): Promise<void> {
  const dir = writeArchive(folder, rows.map(valueLine))
  await importArchive({ archive: 'forecastbench', dir, clock: 'wall', warehouse })
}

/** Reads a form with the ticks of January from one day to another. */
const contentIn = (folder: string, warehouse: Warehouse) => (from: Micros, to: Micros, index_id?: string) =>
  contentOfFile(warehouse, restatementForm(folder, from, to, index_id))

type World = Awaited<ReturnType<typeof governedIndex>>

async function proposeRestatement(world: World, folder: string, from: Micros, to: Micros) {
  const { proposal } = await world.propose(PEOPLE.ann, await contentIn(folder, world.warehouse)(from, to))
  return proposal!
}

/** Writes the form of a restatement. */
function restatementForm(folder: string, from: Micros, to: Micros, index_id = 'idx_tide'): string {
  const path = join(folder, 'restatement.yaml')
  const range = `from: ${formatMicros(from)}, to: ${formatMicros(to)}`
  writeFileSync(path, `restatement: { index_id: ${index_id}, ${range}, cause: LATE_DATA }\n`)
  return path
}

/** Corrects the index. */
export function correct(warehouse: Warehouse) {
  return correctIndex({ index_id: 'idx_tide', from: null, to: null, reason: 'LATE_DATA', warehouse })
}

/** Returns the levels known at an instant, by tick. @param as_of null: now */
export async function levelsAt(warehouse: Warehouse, as_of: Micros | null): Promise<ReadonlyMap<string, string>> {
  const session = await openReadSession(warehouse, { as_of, tables: ['index_observation'] })
  try {
    const rows = await session.query("select tick_at, level from index_observation where index_id = 'idx_tide'")
    return new Map(rows.map((row) => [String(row.tick_at), String(row.level)]))
  } finally {
    await session.close()
  }
}

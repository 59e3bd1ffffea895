import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Micros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { FOLLOWED_TABLES } from '../../../warehouse/reader/followed-tables.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { onceInRun } from '../../support/run/once-in-run.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { sealAll } from './caught-up.ts'
import { MINUTE, START, type WorldCommit, worldCommits, writeWorld } from './world.ts'

export const COMMITS = 200
/** Commits that the reader finds when it is opened; it follows the others. */
export const FIRST = 120

/** Markets whose pages are compared, with all fields or with one. */
export const PAGED = (
  [
    ['mkt_0', null],
    ['mkt_1', 'midpoint'],
    ['mkt_2', null],
    ['mkt_1', 'ask'],
    ['mkt_1', 'last_trade'],
  ] as const
).slice(0, sized(2, 5))

/** Runs queries over the public views. */
export type Query = (sql: string) => Promise<Row[]>

/** Writes the first commits, some days of them compacted. @returns the version of its table that each became; null: it had no rows */
async function writeFirst(root: string, commits: readonly WorldCommit[]) {
  const versions = new Map<WorldCommit, number>()
  const warehouse = await openWarehouse({ root, create: true })
  await writeWorld(warehouse, commits.slice(0, FIRST), versions)
  for (const table of FOLLOWED_TABLES.filter((_, n) => n % 2 === 0)) {
    await warehouse.log(table).compact({ published_date: '2026-01-02' })
  }
  await warehouse.close()
  return { root, versions: commits.slice(0, FIRST).map((commit) => versions.get(commit) ?? null) }
}

/** Makes a warehouse of the first commits, a copy of one that is built once in a run, and notes the versions that they became. */
export async function copyFirst(
  root: string,
  commits: readonly WorldCommit[],
  versions: Map<WorldCommit, number>,
): Promise<void> {
  const first = await onceInRun('reader-world', (folder) => writeFirst(join(folder, 'warehouse'), commits))
  cpSync(first.root, root, { recursive: true })
  for (const [n, version] of first.versions.entries()) if (version !== null) versions.set(commits[n]!, version)
}

/** A random world with a reader that loaded its first part, some days of it compacted, and followed the rest. */
export function openedWorld() {
  const root = join(tempFolder(), 'warehouse')
  const commits: WorldCommit[] = worldCommits(SEED, COMMITS)
  const end: Micros = commits.at(-1)!.at
  const versions = new Map<WorldCommit, number>()
  const opened: { warehouse?: Warehouse; reader?: Reader } = {}

  beforeAll(async () => {
    await copyFirst(root, commits, versions)
    const warehouse = await openWarehouse({ root })
    opened.warehouse = warehouse
    // Some files are kept in memory and some are not, so that queries read both.
    const limits = { ...PATIENT_QUERIES, small_file_rows: 2 }
    opened.reader = await openReader({ root, interval_ms: 100, limits })
    await writeWorld(warehouse, commits.slice(FIRST), versions)
    await sealAll(opened.reader, warehouse, end)
  }, 120_000)

  afterAll(async () => {
    await opened.reader?.close()
    await opened.warehouse?.close()
  })

  return {
    root,
    commits,
    end,
    /** Instants before the first commit, on some, between two (at full size), and after the last. */
    instants: sized(
      [START, commits[60]!.at, end + MINUTE],
      [START, ...[3, 60, 121, 199].map((n) => commits[n]!.at), commits[100]!.at + 1, end + MINUTE],
    ),
    warehouse: () => opened.warehouse!,
    reader: () => opened.reader!,
    /** Asks the public views as of an instant. */
    async viewsAsOf<T>(as_of: Micros | null, ask: (query: Query) => Promise<T>): Promise<T> {
      const session = await openReadSession(opened.warehouse!, { as_of, pin: false, tables: FOLLOWED_TABLES })
      try {
        return await ask((sql) => session.query(sql))
      } finally {
        await session.close()
      }
    },
    /** The place of every record by table and id, told from the commits alone. */
    seqs(): Map<string, number> {
      const places = new Map<string, number>()
      for (const [{ table, rows }, version] of versions) {
        for (const [ordinal, row] of rows.entries()) {
          const id = row.observation_id ?? row.order_book_id ?? row.record_id ?? row.mark_id ?? row.trade_id
          places.set(`${table} ${id}`, version * 2 ** 20 + ordinal)
        }
      }
      return places
    },
  }
}

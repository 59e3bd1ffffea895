import { legsOf } from '../../pipelines/index/admit.ts'
import { LegReader, type LegRecords, LegWriter } from '../../pipelines/index/memory-record.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openSourcesSession } from '../../warehouse/read/sources-session.ts'
import type { TableSource } from '../../warehouse/read/table-source.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { LiveFile, Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import type { KnownAtTick } from './counting.ts'
import { readDerived, writeDerived } from './derived-file.ts'
import type { CourseState, PricedTick } from './index-course.ts'
import type { PublishedIndex } from './load-index.ts'
import { storedWindows, type WindowRecord, windowRecords } from './quote-record.ts'
import { type SeriesRecord, seriesRecord, storedMemory } from './series-run.ts'

/** Another form of the file, or of what is remembered, is another number: then it is as if there were no file. */
const FORMAT = 3

/** Tables that a level is computed from. */
export const COURSE_TABLES: readonly TableName[] = ['market_quote', 'market', 'market_resolution', 'public_trade']

type StoredCourse = {
  readonly format: number
  /** The tables as they were read, and the last stamp that each could have had by then: every later row is stamped after it. */
  readonly read: readonly {
    readonly table: TableName
    readonly table_id: string | null
    readonly version: number
    readonly sealed_through: Micros | null
  }[]
  /** Ids of the versions that had begun. */
  readonly versions: readonly string[]
  readonly known_at_tick: KnownAtTick
  readonly done_to: Micros
  readonly priced: PricedTick | null
  readonly series: SeriesRecord
  readonly records: LegRecords
  readonly windows: readonly WindowRecord[]
  readonly instants: readonly (readonly [key: string, instants: readonly Micros[]])[]
}

/** Stores a series as far as it is, so that the next range is computed from there and not from the first tick. */
export async function storeCourse(
  root: string,
  { spec }: PublishedIndex,
  state: CourseState,
  snapshots: readonly Snapshot[],
): Promise<void> {
  if (state.memory === null) return
  const writer = new LegWriter()
  const stored: StoredCourse = {
    format: FORMAT,
    read: snapshots.map(({ table, table_id, version, sealed_through }) => ({
      table,
      table_id,
      version,
      sealed_through,
    })),
    versions: begunVersions(spec, state.done_to),
    known_at_tick: state.known_at_tick,
    done_to: state.done_to,
    priced: state.priced,
    series: seriesRecord(state.memory, writer),
    records: writer.records,
    windows: windowRecords(state.windows),
    instants: [...state.instants],
  }
  await writeDerived(root, fileName(spec), stored)
}

/** First wanted tick of a series, the tables it is computed from, and how their records count. */
type CourseWish = Pick<CourseState, 'known_at_tick'> & {
  readonly from: Micros
  readonly snapshots: readonly Snapshot[]
}

/**
 * Reads the stored series of an index. Null if there is none, if it is beyond the first wanted tick, if its records counted otherwise, if
 * a version has begun since, or if rows that its ticks would have seen were published since.
 */
export async function storedCourse(
  warehouse: Warehouse,
  { spec }: PublishedIndex,
  { from, snapshots, known_at_tick }: CourseWish,
): Promise<CourseState | null> {
  const stored = (await readDerived(warehouse.local_root, fileName(spec))) as StoredCourse | null
  if (stored === null || stored.format !== FORMAT || stored.done_to > from) return null
  if (stored.known_at_tick !== known_at_tick) return null
  if (begunVersions(spec, stored.done_to).join() !== stored.versions.join()) return null
  if (await hasNews(warehouse, spec, stored, snapshots)) return null
  const instants = new Map(stored.instants)
  return {
    memory: storedMemory(stored.series, new LegReader(stored.records), instants),
    known_at_tick,
    done_to: stored.done_to,
    priced: stored.priced,
    windows: storedWindows(stored.windows),
    instants,
  }
}

/**
 * Whether rows of the index's markets were published since that are about the ticks done. They are looked for in the files of now: those
 * that they were committed in may be compacted and deleted.
 */
async function hasNews(
  warehouse: Warehouse,
  spec: IndexSpec,
  { read, done_to }: StoredCourse,
  snapshots: readonly Snapshot[],
): Promise<boolean> {
  const sources: TableSource[] = []
  const after: Record<string, string | null> = {}
  for (const { table, table_id, version, files } of snapshots) {
    const known = read.find((one) => one.table === table)
    if (known === undefined || known.table_id !== table_id || known.version > version) return true
    const { sealed_through: through } = known
    after[`${table}_after`] = through === null ? null : formatMicros(through)
    const later =
      known.version === version ? [] : files.filter(({ stamp_max }) => through === null || stamp_max > through)
    const reaching = later.filter((file) => mayReach(file, done_to))
    sources.push(await sourceOf(warehouse, table, reaching))
  }
  const stamps = sources.flatMap(({ files }) => files.map(({ published_to }) => published_to))
  if (stamps.length === 0) return false
  const session = await openSourcesSession(sources, Math.max(...stamps))
  try {
    const market_ids = [...new Set(legsOf(spec).map(({ market_id }) => market_id))]
    const rows = await session.query(readSql(import.meta.url, 'sql/records_about.sql'), {
      ...{ market_ids, through: formatMicros(done_to) },
      ...after,
    })
    return rows.length > 0
  } finally {
    await session.close()
  }
}

/** By the file's own bounds; one without them may. */
function mayReach({ stats }: LiveFile, done_to: Micros): boolean {
  const { minValues } = JSON.parse(stats) as { minValues?: { source_at?: string } }
  return minValues?.source_at === undefined || Date.parse(minValues.source_at) * 1000 <= done_to
}

async function sourceOf(warehouse: Warehouse, table: TableName, files: readonly LiveFile[]): Promise<TableSource> {
  const paths = await warehouse.log(table).ensureVerified(files)
  const named = files.map(({ rows, stamp_min, stamp_max }, place) => ({
    path: paths[place]!,
    rows,
    published_from: stamp_min,
    published_to: stamp_max,
  }))
  return { table, files: named, intervals: null }
}

function begunVersions({ versions }: IndexSpec, done_to: Micros): string[] {
  return versions.filter(({ effective_from }) => effective_from < done_to).map((version) => version.index_version_id)
}

function fileName({ index_id }: IndexSpec): string {
  return `series/${index_id}.json`
}

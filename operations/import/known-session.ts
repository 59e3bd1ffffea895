import type { Micros } from '../../primitives/instants.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { SharedDatabase } from '../../warehouse/duckdb/memory-database.ts'
import { openSourcesSession, type ReadSession } from '../../warehouse/read/sources-session.ts'
import type { TableSource } from '../../warehouse/read/table-source.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { LiveFile, Warehouse } from '../../warehouse/warehouse.ts'

/** A table to look up and, if its rows are distinguished by an instant, the wanted instants, both inclusive. */
export type Wanted = {
  readonly table: TableName
  readonly span: { readonly column: 'source_at' | 'received_at'; readonly from: Micros; readonly to: Micros } | null
  /** Selects the data files that may hold the wanted rows; absent: the span alone decides. */
  readonly holding?: (paths: readonly string[]) => Promise<ReadonlySet<string>>
}

/**
 * A session over the tables that may hold wanted rows; `has` states which these are, and `mayHold` whether one of them may hold a row
 * about an instant of its span.
 */
export type KnownSession = {
  readonly session: ReadSession
  readonly has: (table: TableName) => boolean
  readonly mayHold: (table: TableName, at: Micros) => boolean
}

/**
 * Opens a session over only those data files that may hold rows of the wanted spans, by the statistics of the table log. Most batches of
 * a first import find no such file, and open no session. Seals nothing.
 * @param database  supplies the database of the session, called only if one is opened; absent: a new one
 */
export async function openKnownSession(
  warehouse: Warehouse,
  wanted: readonly Wanted[],
  database?: () => Promise<SharedDatabase>,
): Promise<KnownSession | null> {
  const sources: TableSource[] = []
  const bounds = new Map<TableName, readonly Bounds[]>()
  let as_of = await warehouse.now()
  for (const want of wanted) {
    const { table, span } = want
    const { asked, head_stamp } = await askedFiles(warehouse, want)
    if (asked.length === 0) continue
    const files = asked.map(({ path, file: { rows, stamp_min, stamp_max } }) => {
      return { path, rows, published_from: stamp_min, published_to: stamp_max }
    })
    sources.push({ table, files, intervals: null })
    bounds.set(
      table,
      asked.map(({ file }) => (span === null ? null : boundsOf(file)[span.column])),
    )
    as_of = Math.max(as_of, head_stamp ?? as_of)
  }
  if (sources.length === 0) return null
  const session = await openSourcesSession(sources, as_of, await database?.())
  return {
    session,
    has: (table) => bounds.has(table),
    mayHold: (table, at) => bounds.get(table)?.some((within) => isWithin(at, within)) ?? false,
  }
}

type AskedFile = { readonly file: LiveFile; readonly path: string }

async function askedFiles(warehouse: Warehouse, { table, span, holding }: Wanted) {
  const log = warehouse.log(table)
  const { files, head_stamp } = await log.snapshot()
  const within = span === null ? files : files.filter((file) => mayHold(file, span))
  const paths = await log.ensureVerified(within)
  const held = holding === undefined || within.length === 0 ? null : await holding(paths)
  const all: AskedFile[] = within.map((file, place) => ({ file, path: paths[place]! }))
  return { asked: held === null ? all : all.filter(({ path }) => held.has(path)), head_stamp }
}

function isWithin(at: Micros, bounds: Bounds): boolean {
  return bounds === null || (bounds.least <= at && at <= bounds.greatest)
}

function mayHold(file: LiveFile, { column, from, to }: NonNullable<Wanted['span']>): boolean {
  const bounds = boundsOf(file)[column]
  return bounds === null || (bounds.least <= to && bounds.greatest >= from)
}

type Bounds = { readonly least: Micros; readonly greatest: Micros } | null
type FileBounds = { readonly source_at: Bounds; readonly received_at: Bounds }

/** Bounds by file, parsed once: an import looks at the same files with every batch. */
const BOUNDS = new WeakMap<LiveFile, FileBounds>()

function boundsOf(file: LiveFile): FileBounds {
  const found = BOUNDS.get(file)
  if (found !== undefined) return found
  type Values = Readonly<Record<string, unknown>>
  const { minValues, maxValues } = JSON.parse(file.stats) as { minValues?: Values; maxValues?: Values }
  const bound = (column: string): Bounds => {
    const [least, greatest] = [minValues?.[column], maxValues?.[column]]
    if (typeof least !== 'string' || typeof greatest !== 'string') return null
    return { least: toMicros(least), greatest: toMicros(greatest) }
  }
  const bounds = { source_at: bound('source_at'), received_at: bound('received_at') }
  BOUNDS.set(file, bounds)
  return bounds
}

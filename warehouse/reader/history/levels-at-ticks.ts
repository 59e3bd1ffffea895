import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { quoteName, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { readWhole } from './read-whole.ts'
import { filesOfSeries, knownRows } from './series-sql.ts'

const TABLE = 'index_observation'
const COLUMNS = ['observation_id', 'tick_at', 'published_at', 'row_ordinal'].map(quoteName).join(', ')
/** Files of one query. */
const FILES_MAX = 256

/** Returns the levels of an index that were current at an instant at some ticks, with their inputs; a tick without one has no row. */
export async function levelsAtTicks(
  source: HistorySource,
  index_id: string,
  ticks: readonly Micros[],
  as_of: Micros,
): Promise<readonly Row[]> {
  const key = { index_id }
  const { files } = await source.snapshot(TABLE)
  const near = filesOfSeries({ key }, files, as_of).filter((file) => mayHoldTick(file, ticks))
  const list = ticks.map((tick) => `timestamptz '${formatMicros(tick)}'`).join(', ')
  const known = `${knownRows({ key }, as_of)} and tick_at in (${list})`
  const found: Row[] = []
  for (let n = 0; n < near.length; n += FILES_MAX) {
    const piece = near.slice(n, n + FILES_MAX)
    const rows = await source.query({ table: TABLE, files: piece }, (relation) =>
      readSql(import.meta.url, '../../sql/rows_where.sql', { columns: COLUMNS, rows: relation(piece), known }),
    )
    found.push(...rows)
  }
  return readWhole(source, index_id, newestOfTicks(found), as_of)
}

function mayHoldTick(file: LiveFile, ticks: readonly Micros[]): boolean {
  const { from, to } = instantBounds(file, 'tick_at')
  return ticks.some((tick) => from <= tick && tick <= to)
}

/** Returns the last published row of each tick. */
function newestOfTicks(rows: readonly Row[]): readonly Row[] {
  const newest = new Map<Micros, Row>()
  for (const row of rows) {
    const tick = toMicros(row.tick_at)
    const before = newest.get(tick)
    if (before === undefined || isLater(row, before)) newest.set(tick, row)
  }
  return [...newest.values()]
}

function isLater(a: Row, b: Row): boolean {
  const distance = toMicros(a.published_at) - toMicros(b.published_at)
  return distance === 0 ? Number(a.row_ordinal) > Number(b.row_ordinal) : distance > 0
}

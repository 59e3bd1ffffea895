import { durationMicros, type Micros } from '../../../primitives/instants.ts'
import type { CandleInterval } from '../../../vocabulary/market.ts'
import { instantLiteral } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import { quoteText, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { LineAsked } from './asked.ts'
import { instantBounds, mayHold } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { knownRows } from './series-sql.ts'

const TABLE = 'index_observation'

/** Returns the last priced level of each bucket of some indexes as known at an instant, in one query and no order. */
export async function readLevelLines(
  source: HistorySource,
  asked: readonly LineAsked[],
  interval: CandleInterval,
  as_of: Micros,
): Promise<readonly Row[]> {
  if (asked.length === 0) return []
  const { files } = await source.snapshot(TABLE)
  const near = files.filter((file) => file.stamp_min <= as_of && asked.some((one) => mayHoldLine(file, one)))
  if (near.length === 0) return []
  const index_ids = asked.map(({ index_id }) => quoteText(index_id)).join(', ')
  return source.query({ table: TABLE, files: near }, (relation) =>
    readSql(import.meta.url, 'sql/level_lines.sql', {
      rows: relation(near),
      known: `${knownRows({ key: {} }, as_of)} and index_id in (${index_ids})`,
      asked: asked.map(rangeRow).join(', '),
      bucket_us: String(durationMicros(interval)),
    }),
  )
}

function rangeRow({ index_id, from, to }: LineAsked): string {
  return `(${quoteText(index_id)}, ${instantLiteral(from)}, ${instantLiteral(to)})`
}

function mayHoldLine(file: LiveFile, { index_id, from, to }: LineAsked): boolean {
  const ticks = instantBounds(file, 'tick_at')
  return ticks.from < to && ticks.to >= from && mayHold(file, 'index_id', index_id)
}

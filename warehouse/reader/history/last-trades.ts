import type { Micros } from '../../../primitives/instants.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { LastTrade } from '../newest-trades.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { readCurrent } from './read-current.ts'
import { tradeSeries } from './series.ts'
import { filesOfSeries, keptQuery, knownRows } from './series-sql.ts'

/**
 * Returns the newest valid trade of each outcome of a market as it was known at an instant. What memory knows holds then too if no
 * row about a trade of the outcome was published since; else files are read, those of the latest trades first.
 */
export async function lastTradesAsOf(
  source: HistorySource,
  market_id: string,
  known: readonly LastTrade[],
  as_of: Micros,
): Promise<Row[]> {
  const traded = known.filter(({ first_published_at }) => first_published_at <= as_of)
  if (traded.every(({ changed_at }) => changed_at <= as_of))
    return traded.flatMap(({ trade }) => (trade === null ? [] : [trade]))
  const series = tradeSeries(market_id, null)
  const files = filesOfSeries(series, (await source.snapshot('public_trade')).files, as_of)
  const last = (file: LiveFile) => instantBounds(file, 'source_at').to
  const left = files.toSorted((a, b) => last(b) - last(a))
  const found = new Map<string, Row>()
  for (let count = FILES_FIRST; left.length > 0; count *= 2) {
    const oldest = Math.min(...[...found.values()].map((row) => toMicros(row.source_at)))
    if (found.size === traded.length && last(left[0]!) < oldest) break
    const chunk = left.splice(0, Math.min(count, FILES_MAX))
    for (const row of await readNewest(source, { series, chunk, files }, as_of)) keepNewer(found, row)
  }
  return [...found.values()]
}

const FILES_FIRST = 2
const FILES_MAX = 256

function readNewest(source: HistorySource, asked: Parameters<typeof readCurrent>[1], as_of: Micros): Promise<Row[]> {
  const { series, chunk } = asked
  const known = knownRows(series, as_of)
  return readCurrent(source, asked, (deciding) =>
    source.query({ table: series.table, files: [...chunk, ...deciding] }, (relation) =>
      readSql(import.meta.url, 'sql/newest_trades.sql', {
        columns: series.columns.join(', '),
        rows: relation(chunk),
        known,
        kept: keptQuery(series, deciding, relation, known),
        is_trade: series.slots!.is_trade!,
      }),
    ),
  )
}

function keepNewer(found: Map<string, Row>, row: Row): void {
  const key = String(row.outcome_id)
  const known = found.get(key)
  if (known === undefined || compare(row, known) > 0) found.set(key, row)
}

/** Orders trades by (source_at, published_at, row_ordinal), which decides the last one. */
function compare(a: Row, b: Row): number {
  const by_time = toMicros(a.source_at) - toMicros(b.source_at) || toMicros(a.published_at) - toMicros(b.published_at)
  return by_time || (a.row_ordinal as number) - (b.row_ordinal as number)
}

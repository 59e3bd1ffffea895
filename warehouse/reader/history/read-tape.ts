import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { readSql } from '../../sql/read-sql.ts'
import type { History, HistoryPage } from '../reader.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { readPage } from './read-page.ts'
import { tradeSeries } from './series.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

/** Longest time between two reports of one trade. */
const REPORTS_APART: Micros = 60_000_000

/** Returns a page of the tape of a market, or of one outcome. */
export async function readTape(
  source: HistorySource,
  { market_id, outcome_id, start, end }: Parameters<History['trades']>[0],
  { after, limit, as_of }: Parameters<History['trades']>[1],
): Promise<Row[]> {
  const page: HistoryPage = {
    time_domain: 'published',
    start,
    end,
    after,
    limit,
    quality_state: null,
    include_corrections: true,
    as_of,
  }
  return withReports(source, market_id, await readPage(source, [tradeSeries(market_id, outcome_id)], page), as_of)
}

/** Adds to trades of a market the ids under which its feeds reported them, as known at an instant. */
export async function withReports(
  source: HistorySource,
  market_id: string,
  rows: readonly Row[],
  as_of: Micros,
): Promise<Row[]> {
  const further = await furtherIds(source, market_id, rows, as_of)
  return rows.map((row) => {
    const own = String(row.source_trade_id)
    return { ...row, source_trade_ids: [own, ...(further.get(own) ?? [])] }
  })
}

/** Reads the other ids under which feeds reported the trades of a page, by the trade's own. */
async function furtherIds(
  source: HistorySource,
  market_id: string,
  rows: readonly Row[],
  as_of: Micros,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const matched = rows.filter((row) => (row.first_source_trade_id ?? null) !== null)
  if (matched.length === 0) return new Map()
  const instants = matched.map((row) => toMicros(row.source_at))
  const [from, to] = [Math.min(...instants) - REPORTS_APART, Math.max(...instants) + REPORTS_APART]
  const key = { market_id }
  const { files } = await source.snapshot('public_trade')
  const near = filesOfSeries({ key }, files, as_of).filter((file) => {
    const bounds = instantBounds(file, 'source_at')
    return bounds.from <= to && bounds.to >= from
  })
  const known = [knownRows({ key }, as_of), instantIs('source_at', '>=', from), instantIs('source_at', '<=', to)]
  const found = await source.query(
    { table: 'public_trade', files: near },
    (relation) =>
      readSql(import.meta.url, 'sql/further_trade_ids.sql', { rows: relation(near), known: known.join(' and ') }),
    { source_trade_ids: matched.map((row) => String(row.source_trade_id)) },
  )
  const ids = new Map<string, string[]>()
  for (const { source_trade_id, further_id } of found) {
    const known = ids.get(String(source_trade_id))
    if (known === undefined) ids.set(String(source_trade_id), [String(further_id)])
    else known.push(String(further_id))
  }
  return ids
}

import type { Row } from '../../schema.ts'
import { quoteName, quoteText, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { QuotesAsked } from './asked.ts'
import { instantBounds, mayHold } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { instantIs, knownRows } from './series-sql.ts'

const TABLE = 'market_quote'
const COLUMNS = [
  'record_id',
  'revision',
  'market_id',
  'outcome_id',
  'venue_id',
  'source_at',
  'received_at',
  'published_at',
  'bid',
  'ask',
  'bid_depth',
  'ask_depth',
  'last_trade',
  'last_trade_at',
  'reported_probability',
  'confirmed_at',
].map(quoteName)
/** Files of one query. */
const FILES_MAX = 256

/** Returns the quotes with the given ids, each once, in no order; one that is not found has no row. */
export async function quotesById(source: HistorySource, asked: QuotesAsked): Promise<readonly Row[]> {
  const { record_ids, market_ids, source_from, source_to, as_of } = asked
  if (record_ids.length === 0) return []
  const { files } = await source.snapshot(TABLE)
  const near = files.filter((file) => mayHoldAny(file, asked))
  const known = [
    knownRows({ key: {} }, as_of),
    instantIs('source_at', '>=', source_from),
    instantIs('source_at', '<=', source_to),
    `market_id in (${market_ids.map(quoteText).join(', ')})`,
  ].join(' and ')
  const found = new Map<string, Row>()
  for (let n = 0; n < near.length; n += FILES_MAX) {
    const piece = near.slice(n, n + FILES_MAX)
    const rows = await source.query(
      { table: TABLE, files: piece },
      (relation) =>
        readSql(import.meta.url, 'sql/quotes_by_id.sql', {
          columns: COLUMNS.join(', '),
          rows: relation(piece),
          known,
        }),
      { record_ids },
    )
    for (const row of rows) if (!found.has(String(row.record_id))) found.set(String(row.record_id), row)
  }
  return [...found.values()]
}

function mayHoldAny(file: LiveFile, { market_ids, source_from, source_to, as_of }: QuotesAsked): boolean {
  const { from, to } = instantBounds(file, 'source_at')
  if (file.stamp_min > as_of || to < source_from || from > source_to) return false
  return market_ids.some((market_id) => mayHold(file, 'market_id', market_id))
}

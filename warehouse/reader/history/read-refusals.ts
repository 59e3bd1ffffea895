import type { Micros } from '../../../primitives/instants.ts'
import { columnList } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import { quoteText, readSql } from '../../sql/read-sql.ts'
import type { RefusalPage } from '../reader.ts'
import type { HistorySource } from './history-source.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

const TABLE = 'refused_act'
const OF_GOVERNANCE = { key: { subject: 'governance' } }

/** Returns a page of the refused acts of governance, sorted by (published_at, refusal_id). */
export async function readRefusals(source: HistorySource, page: RefusalPage): Promise<Row[]> {
  const { after, limit, as_of } = page
  const { files } = await source.snapshot(TABLE)
  const from = after?.published_at ?? 0
  const candidates = filesOfSeries(OF_GOVERNANCE, files, as_of).filter(({ stamp_max }) => stamp_max >= from)
  if (candidates.length === 0) return []
  return source.query({ table: TABLE, files: candidates, whole: true }, (relation) =>
    readSql(import.meta.url, 'sql/page_of_refusals.sql', {
      columns: columnList(TABLE),
      rows: relation(candidates),
      wanted: [knownRows(OF_GOVERNANCE, as_of), ...about(page), ...behind(after)].join(' and '),
      limit: String(limit),
    }),
  )
}

/** Returns a refused act; null: it was not known. */
export async function findRefusal(source: HistorySource, refusal_id: string, as_of: Micros): Promise<Row | null> {
  const { files } = await source.snapshot(TABLE)
  const named = { key: { refusal_id } }
  const candidates = filesOfSeries(named, files, as_of)
  if (candidates.length === 0) return null
  const [row] = await source.query({ table: TABLE, files: candidates, whole: true }, (relation) =>
    readSql(import.meta.url, '../../sql/rows_where.sql', {
      columns: columnList(TABLE),
      rows: relation(candidates),
      known: knownRows(named, as_of),
    }),
  )
  return row ?? null
}

function about({ record_id }: RefusalPage): string[] {
  return record_id === null ? [] : [`record_id = ${quoteText(record_id)}`]
}

function behind(after: RefusalPage['after']): string[] {
  if (after === null) return []
  const { published_at, id } = after
  const same = `(${instantIs('published_at', '=', published_at)} and refusal_id > ${quoteText(id)})`
  return [`(${instantIs('published_at', '>', published_at)} or ${same})`]
}

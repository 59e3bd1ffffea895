import type { Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { quoteName, quoteText, readSql } from '../../sql/read-sql.ts'
import type { PayloadsAsked } from './asked.ts'
import { instantBounds, mayHold } from './file-bounds.ts'
import { findRecord, type RecordRule } from './find-record.ts'
import type { HistorySource } from './history-source.ts'
import { instantIs } from './series-sql.ts'

const TABLE = 'venue_payload'
const COLUMNS = ['content_hash', 'endpoint', 'request', 'byte_count', 'received_at', 'published_at'].map(quoteName)

const RULES: readonly { readonly prefix: RegExp; readonly rule: RecordRule }[] = [
  {
    prefix: /^obs_/,
    rule: { table: 'market_quote', id: 'record_id', key: 'market_id', chain_instant: 'source_at' },
  },
  { prefix: /^trd_/, rule: { table: 'public_trade', id: 'trade_id', key: 'market_id', chain_instant: null } },
]

/** Returns the stored row of a venue's record, by the id of the record or of a value in it; null: it was not known. */
export async function findReceived(source: HistorySource, id: string, as_of: Micros): Promise<Row | null> {
  const rule = RULES.find(({ prefix }) => prefix.test(id))?.rule
  if (rule === undefined) return null
  const [record_id = id] = id.split('.')
  return (await findRecord(source, rule, record_id, as_of))?.row ?? null
}

/** Returns the payloads of a venue that were received at an instant, sorted; their bodies only if one is named. */
export async function readPayloads(source: HistorySource, asked: PayloadsAsked): Promise<readonly Row[]> {
  const { venue_id, received_at, content_hash } = asked
  const { files } = await source.snapshot(TABLE)
  const near = files.filter((file) => {
    const { from, to } = instantBounds(file, 'received_at')
    return from <= received_at && received_at <= to && mayHold(file, 'venue_id', venue_id)
  })
  if (near.length === 0) return []
  // A payload never changes and is named by its hash, so it is read as of now.
  const known = [
    `venue_id = ${quoteText(venue_id)}`,
    instantIs('received_at', '=', received_at),
    ...(content_hash === null ? [] : [`content_hash = ${quoteText(content_hash)}`]),
  ]
  const rows = await source.query({ table: TABLE, files: near, whole: true }, (relation) =>
    readSql(import.meta.url, '../../sql/rows_where.sql', {
      columns: [...COLUMNS, ...(content_hash === null ? [] : [quoteName('body')])].join(', '),
      rows: relation(near),
      known: known.join(' and '),
    }),
  )
  return rows.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

function orderOf({ endpoint, request, content_hash }: Row): string {
  return [endpoint, request ?? '', content_hash].join('\u001f')
}

import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { columnList } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import { quoteName, quoteText, readSql } from '../../sql/read-sql.ts'
import { answerOf, headOf } from '../assessment-rows.ts'
import { type AssessmentTableName, SERIES_OF } from '../followed-tables.ts'
import type { AssessmentFilter, AssessmentKey, AssessmentRecords, AssessmentSeries } from '../reader.ts'
import type { HistorySource } from './history-source.ts'
import { readByAddress } from './rows-by-address.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

const ID: Readonly<Record<AssessmentTableName, string>> = {
  market_rating: 'rating_id',
  severity_assessment: 'assessment_id',
}
const GRADE: Readonly<Record<AssessmentTableName, string>> = { market_rating: 'band', severity_assessment: 'level' }
const ALL = '9223372036854775807'
const NEWEST_REVISION =
  'qualify row_number() over (partition by chain_id order by revision desc, published_at desc, row_ordinal desc) = 1'

/**
 * Returns the record in force as it was known at an instant. Only the deciding columns are read of every record's newest revision,
 * and the whole row of the one in force.
 */
export async function readInForce(
  source: HistorySource,
  series: AssessmentSeries,
  asked: AssessmentFilter,
  as_of: Micros,
): Promise<{ readonly row: Row | null; readonly waits: boolean }> {
  const { table, key } = series
  const { files } = await source.snapshot(table)
  const candidates = filesOfSeries(series, files, as_of)
  if (candidates.length === 0) return { row: null, waits: false }
  const rows = await source.query({ table, files: candidates, whole: true }, (relation) =>
    readSql(import.meta.url, '../sql/assessment_heads.sql', {
      series: SERIES_OF[table].map(quoteName).join(', '),
      rows: relation(candidates),
      known: knownRows(series, as_of),
      kept: ALL,
    }),
  )
  const heads = rows.map((row) =>
    headOf({ ...row, issuer: { kind: row.kind }, override: row.overrides ? {} : null }, 0),
  )
  const found = answerOf(heads, asked, as_of)
  const waits = rows.some((row) => row.review_state === 'under_review' && toMicros(row.effective_from) <= as_of)
  if (found === null) return { row: null, waits }
  const [row] = await readByAddress(source, { table, key, as_of }, [found], candidates)
  return { row: row!, waits }
}

/** Returns a page of the records of one subject or, without a key, of all, sorted by (effective_from, published_at, id). */
export async function readRecords(
  source: HistorySource,
  asked: AssessmentRecords,
  page: { readonly after: AssessmentKey | null; readonly limit: number; readonly as_of: Micros },
): Promise<Row[]> {
  const { table, key } = asked
  const { files } = await source.snapshot(table)
  const candidates = filesOfSeries(asked, files, page.as_of)
  if (candidates.length === 0) return []
  const addresses = await source.query({ table, files: candidates, whole: true }, (relation) =>
    readSql(import.meta.url, 'sql/page_of_assessments.sql', {
      id: ID[table],
      rows: relation(candidates),
      known: knownRows(asked, page.as_of),
      newest: asked.include_corrections ? '' : NEWEST_REVISION,
      wanted: wantedRecords(asked, page.after).join(' and '),
      limit: String(page.limit),
    }),
  )
  const wanted = addresses.map((row) => ({
    row,
    published_at: toMicros(row.published_at),
    row_ordinal: row.row_ordinal as number,
  }))
  const rows = await readByAddress(source, { table, key, as_of: page.as_of }, wanted, candidates)
  const ranks = new Map(addresses.map((row, rank) => [String(row[ID[table]]), rank]))
  const rankOf = (row: Row) => ranks.get(String(row[ID[table]]))!
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Returns a record by its id, and the ids of every known revision of its chain, first to last; null: none is known. */
export async function findAssessment(
  source: HistorySource,
  table: AssessmentTableName,
  id: string,
  as_of: Micros,
): Promise<{ readonly row: Row; readonly chain: readonly string[] } | null> {
  const { files } = await source.snapshot(table)
  const rowsWhere = async (key: Readonly<Record<string, string>>, columns: string): Promise<Row[]> => {
    const candidates = filesOfSeries({ key }, files, as_of)
    if (candidates.length === 0) return []
    return source.query({ table, files: candidates, whole: true }, (relation) =>
      readSql(import.meta.url, '../../sql/rows_where.sql', {
        columns,
        rows: relation(candidates),
        known: knownRows({ key }, as_of),
      }),
    )
  }
  const [row] = await rowsWhere({ [ID[table]]: id }, columnList(table))
  if (row === undefined) return null
  const chain = await rowsWhere({ chain_id: String(row.chain_id) }, `${ID[table]}, published_at, row_ordinal`)
  return { row, chain: chain.map((link) => String(link[ID[table]])) }
}

function wantedRecords(asked: AssessmentRecords, after: AssessmentKey | null): string[] {
  const { table, review_states, grade, methodology_id, start, end, published_after, ending } = asked
  const equal = (column: string, value: string | null) => (value === null ? [] : [`${column} = ${quoteText(value)}`])
  return [
    `review_state in (${review_states.map(quoteText).join(', ')})`,
    ...equal(GRADE[table], grade),
    ...equal('methodology_id', methodology_id),
    ...(start === null ? [] : [instantIs('effective_from', '>=', start)]),
    ...(end === null ? [] : [instantIs('effective_from', '<', end)]),
    ...(ending === undefined
      ? []
      : [instantIs('effective_to', '>=', ending.from), instantIs('effective_to', '<', ending.to)]),
    ...(published_after === null ? [] : [instantIs('published_at', '>', published_after)]),
    ...(after === null ? [] : [beyond(ID[table], after)]),
  ]
}

function beyond(id: string, [effective_from, published_at, last_id]: AssessmentKey): string {
  const same_start = instantIs('effective_from', '=', effective_from)
  const same_stamp = instantIs('published_at', '=', published_at)
  return [
    `(${instantIs('effective_from', '>', effective_from)}`,
    `(${same_start} and ${instantIs('published_at', '>', published_at)})`,
    `(${same_start} and ${same_stamp} and ${id} > ${quoteText(last_id)}))`,
  ].join(' or ')
}

import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { quoteText, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { HistoryPage } from '../reader.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { behindSql, byPageOrder, orderSql, placeOf } from './page-order.ts'
import { readCurrent } from './read-current.ts'
import { recordsQuery, type Series } from './series.ts'
import { filesOfSeries, instantIs, keptQuery, knownRows } from './series-sql.ts'

/** File that may hold records of the page, with the range of the page's instant in it. */
type Candidate = {
  readonly series: Series
  readonly file: LiveFile
  readonly from: Micros
  readonly to: Micros
  readonly has_nulls: boolean
}
type Files = ReadonlyMap<Series, readonly LiveFile[]>

/**
 * Returns one page of the records of some series, in the order of `byPageOrder`.
 *
 * Files are read in the order of their first instant, in growing pieces, until no remaining file can hold a record before the
 * last one of the page. A page therefore costs a few files, however many there are.
 */
export async function readPage(source: HistorySource, series: readonly Series[], page: HistoryPage): Promise<Row[]> {
  const files: Files = new Map(
    await Promise.all(series.map(async (one) => [one, await filesOf(source, one, page)] as const)),
  )
  const candidates = series.flatMap((one) => candidatesOf(one, files.get(one)!, page))
  const dated = page.after?.instant === null ? [] : await readDated(source, candidates, files, page)
  if (dated.length === page.limit || page.start !== null || page.end !== null) return dated
  const undated = await readUndated(source, candidates, files, { ...page, limit: page.limit - dated.length })
  return [...dated, ...undated]
}

async function filesOf(source: HistorySource, series: Series, page: HistoryPage): Promise<LiveFile[]> {
  return filesOfSeries(series, (await source.snapshot(series.table)).files, page.as_of)
}

function candidatesOf(series: Series, files: readonly LiveFile[], page: HistoryPage): Candidate[] {
  const column = series.instants[page.time_domain]
  return files.map((file) => {
    const none = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, has_nulls: true }
    return { series, file, ...(column === null ? none : instantBounds(file, column)) }
  })
}

async function readDated(
  source: HistorySource,
  candidates: readonly Candidate[],
  files: Files,
  page: HistoryPage,
): Promise<Row[]> {
  const first = Math.max(page.start ?? Number.NEGATIVE_INFINITY, page.after?.instant ?? Number.NEGATIVE_INFINITY)
  const end = page.end ?? Number.POSITIVE_INFINITY
  const inRange = candidates.filter(({ from, to }) => from <= to && to >= first && from < end)
  const left = inRange.sort((a, b) => a.from - b.from)
  let rows: Row[] = []
  for (let pieces = growingPieces(page.limit, first); left.length > 0; ) {
    const last = rows.length === page.limit ? instantOf(rows.at(-1)!, page) : Number.POSITIVE_INFINITY
    if (left[0]!.from > last) break
    const piece = left.splice(0, pieces(left))
    const found = await readPiece(source, piece, files, page, 'dated')
    rows = merged([...rows, ...found], page)
  }
  return rows
}

/** An id does not tell which file a record without the instant is in, so every file with one is read. */
async function readUndated(
  source: HistorySource,
  candidates: readonly Candidate[],
  files: Files,
  page: HistoryPage,
): Promise<Row[]> {
  const with_nulls = candidates.filter(({ has_nulls }) => has_nulls)
  const rows = await readPiece(source, with_nulls, files, page, 'undated')
  return merged(rows, page)
}

/** Reads the first records of a piece, with one query per series. */
async function readPiece(
  source: HistorySource,
  piece: readonly Candidate[],
  files: Files,
  page: HistoryPage,
  part: 'dated' | 'undated',
): Promise<Row[]> {
  const of_series = [...files.keys()].map((series) => piece.filter((candidate) => candidate.series === series))
  const read = of_series.map((some) => (some.length === 0 ? [] : readSeries(source, some, files, page, part)))
  return (await Promise.all(read)).flat()
}

async function readSeries(
  source: HistorySource,
  candidates: readonly Candidate[],
  files: Files,
  page: HistoryPage,
  part: 'dated' | 'undated',
): Promise<Row[]> {
  const { series } = candidates[0]!
  const chunk = candidates.map(({ file }) => file)
  const read = (deciding: readonly LiveFile[]) =>
    source.query({ table: series.table, files: [...chunk, ...deciding] }, (relation) => {
      const known = knownRows(series, page.as_of)
      return readSql(import.meta.url, 'sql/page_of_records.sql', {
        columns: series.columns.join(', '),
        rows: relation(chunk),
        known: [known, ...rangeConditions(series, page, part)].join(' and '),
        kept: keptQuery(series, deciding, relation, known),
        records: recordsQuery(series),
        wanted: [series.wanted, ...recordConditions(series, page, part)].join(' and '),
        order: orderSql(page, series, series.instants[page.time_domain]),
        limit: String(page.limit),
      })
    })
  if (page.include_corrections && series.only_current !== true) return read([])
  return readCurrent(source, { series, chunk, files: files.get(series)! }, read)
}

function rangeConditions(series: Series, page: HistoryPage, part: 'dated' | 'undated'): string[] {
  const column = series.instants[page.time_domain]
  if (column === null) return []
  if (part === 'undated') return [`${column} is null`]
  const { start, end, after } = page
  return [
    `${column} is not null`,
    ...(start === null ? [] : [instantIs(column, '>=', start)]),
    ...(end === null ? [] : [instantIs(column, '<', end)]),
    ...(after?.instant == null ? [] : [instantIs(column, '>=', after.instant)]),
  ]
}

function recordConditions(series: Series, page: HistoryPage, part: 'dated' | 'undated'): string[] {
  const { after, quality_state } = page
  const quality = quality_state === null ? [] : [`quality_state = ${quoteText(quality_state)}`]
  if (after === null) return quality
  const beyond = behindSql(after, series)
  if (part === 'undated') return after.instant === null ? [...quality, beyond] : quality
  const column = series.instants[page.time_domain]!
  return [...quality, `(${instantIs(column, '>', after.instant!)} or ${beyond})`]
}

/** Sorts records in the order of the page and returns the first ones. */
function merged(rows: readonly Row[], page: HistoryPage): Row[] {
  const keyed = rows.map((row) => ({ row, instant: instantOf(row, page), id: idOf(row), ...placeOf(row) }))
  keyed.sort(byPageOrder(page))
  return keyed.slice(0, page.limit).map(({ row }) => row)
}

function instantOf(row: Row, page: HistoryPage): Micros {
  const source = 'source_cutoff_at' in row ? row.source_cutoff_at : row.source_at
  const value = { published: row.published_at, source, calculated: row.calculated_at }[page.time_domain]
  return value === null || value === undefined ? Number.POSITIVE_INFINITY : toMicros(value)
}

function idOf(row: Row): string {
  return String(row.observation_id ?? row.trade_id ?? row.value_id)
}

/**
 * Returns a function that decides how many files to read next: of each series enough rows for a page at first, then twice as many each
 * time. A page that begins near the end of a file takes the next file with it, in one query instead of two, and files of several series
 * that begin together are read at once.
 */
function growingPieces(limit: number, first: Micros): (left: readonly Candidate[]) => number {
  let rows_wanted = limit * ROWS_PER_RECORD
  return (left) => {
    const rows = new Map<Series, number>()
    let count = 0
    for (const candidate of left.slice(0, FILES_MAX)) {
      const of_series = rows.get(candidate.series) ?? 0
      if (of_series >= rows_wanted) break
      rows.set(candidate.series, of_series + rowsFrom(candidate, first))
      count += 1
    }
    rows_wanted *= 2
    return count
  }
}

/** Estimates how many rows of a file are at or after an instant, assuming an even spread. */
function rowsFrom({ file, from, to }: Candidate, first: Micros): number {
  const share = from < first && from < to ? (to - first) / (to - from) : 1
  return Number.isFinite(share) ? file.rows * share : file.rows
}

/** Assumed number of series in a file, until the first piece was read. */
const ROWS_PER_RECORD = 20
const FILES_MAX = 256

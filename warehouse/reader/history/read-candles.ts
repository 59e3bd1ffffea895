import {
  buildCandles,
  type Candle,
  type CandleRow,
  latestPerInterval,
  type TradedQuantity,
} from '../../../pipelines/market/candles.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row, RowValue } from '../../schema.ts'
import { quoteText, readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { CandleInstants, HistoryPage, SampledRange } from '../reader.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { byPageOrder, isBehind } from './page-order.ts'
import { readCurrent } from './read-current.ts'
import { recordsQuery, type Series } from './series.ts'
import { filesOfSeries, instantIs, keptQuery, knownRows } from './series-sql.ts'

/** Most rows that candles or samples of one request are computed from. */
const CANDLE_ROWS_MAX = 500_000

/**
 * Returns the candles of one series as it was known at an instant (methodology §15).
 * @throws {ServiceError} VALIDATION_QUERY_LIMIT: the range holds too many rows
 */
export async function readCandles(
  source: HistorySource,
  series: Series,
  range: SampledRange,
  { as_of, at }: CandleInstants,
): Promise<Candle[]> {
  return buildCandles(await readCandleRows(source, series, range, as_of), range, { at, trades: null })
}

/**
 * Returns the candles of a value of one outcome, with the quantity traded in each bucket. Candles of the last trade are made of the
 * same trades.
 * @param trades series of the outcome's trades; null: none is known, or may be shown
 * @throws {ServiceError} VALIDATION_QUERY_LIMIT: the range holds too many rows
 */
export async function readMarketCandles(
  source: HistorySource,
  { series, trades }: { readonly series: Series; readonly trades: Series | null },
  range: SampledRange,
  { as_of, at }: CandleInstants,
): Promise<Candle[]> {
  const traded = trades === null ? null : await readCandleRows(source, trades, range, as_of)
  const is_trades = trades !== null && series.records === trades.records
  const rows = is_trades ? traded! : await readCandleRows(source, series, range, as_of)
  return buildCandles(rows, range, { at, trades: traded === null ? null : traded.map(tradedQuantity) })
}

function tradedQuantity({ tick_at, quantity }: SeriesRow): TradedQuantity {
  return { at: tick_at, quantity: quantity! }
}

/**
 * Returns a page of the last priced record of each bucket, per outcome and field, in the order of the page. Range and buckets are by
 * the clock of the page, and records of another state than the one asked for are left out, as in the same page without sampling.
 * @throws {ServiceError} VALIDATION_QUERY_LIMIT: the range holds too many rows
 */
export async function readSamples(
  source: HistorySource,
  series: readonly Series[],
  range: SampledRange,
  page: HistoryPage,
): Promise<Row[]> {
  const samples: Sample[] = []
  const instantOf = ({ instants }: SeriesRow) => instantIn(instants, page)
  for (const one of series) {
    const column = one.instants[page.time_domain]
    if (column === null) continue
    const rows = await readCandleRows(source, one, range, page.as_of, column)
    const asked = rows.filter((row) => page.quality_state === null || row.quality_state === page.quality_state)
    for (const of_one of groupsOf(asked).values()) {
      samples.push(...latestPerInterval(of_one, range, instantOf).map((row) => ({ ...row, series: one })))
    }
  }
  const wanted = pageOfSamples(samples, page)
  const rows = await Promise.all(series.map((one) => recordsOf(source, one, wanted, page.as_of)))
  const by_id = new Map(rows.flat().map((row) => [String(row.observation_id), row]))
  return wanted.map(({ id }) => by_id.get(id)!)
}

/** Row for candles, with the fields that a page of samples is sorted by. */
type SeriesRow = CandleRow & {
  readonly quantity: string | null
  readonly id: string
  readonly line: string
  readonly instants: Row
}
type Sample = SeriesRow & { readonly series: Series }

/** @param column instant that the range refers to */
async function readCandleRows(
  source: HistorySource,
  series: Series,
  { from, to }: SampledRange,
  as_of: Micros,
  column = series.candle.tick_at,
): Promise<SeriesRow[]> {
  const { files } = await source.snapshot(series.table)
  const known_files = filesOfSeries(series, files, as_of)
  const chunk = known_files.filter((file) => within(file, column, from, to))
  if (chunk.length === 0) return []
  const read = (deciding: readonly LiveFile[]) =>
    source.query({ table: series.table, files: [...chunk, ...deciding] }, (relation) => {
      const known = knownRows(series, as_of)
      const inside = [instantIs(column, '>=', from), instantIs(column, '<', to)]
      return readSql(import.meta.url, 'sql/candle_rows.sql', {
        columns: series.columns.join(', '),
        rows: relation(chunk),
        known: [known, ...inside].join(' and '),
        kept: keptQuery(series, deciding, relation, known),
        records: recordsQuery(series),
        wanted: series.wanted,
        shown: shownColumns(series),
        limit: String(CANDLE_ROWS_MAX + 1),
      })
    })
  const rows = await readCurrent(source, { series, chunk, files: known_files }, read)
  if (rows.length > CANDLE_ROWS_MAX) throw tooManyRows(column)
  return rows.map(seriesRow)
}

function shownColumns({ id, candle, instants }: Series): string {
  const columns = Object.entries({
    ...candle,
    quality_state: "coalesce(quality_state, 'valid')",
    id,
    line: candle.level === 'level' ? "''" : "outcome_id || ' ' || coalesce(source_series_id, '') || ' ' || field",
    source: instants.source ?? 'null',
    calculated: instants.calculated ?? 'null',
    published: 'published_at',
    ordinal: 'row_ordinal',
  })
  return columns.map(([name, expression]) => `${expression} as "${name}"`).join(', ')
}

function seriesRow(row: Row): SeriesRow {
  const { source_cutoff_at, source, calculated, published } = row
  return {
    tick_at: toMicros(row.tick_at),
    source_cutoff_at: source_cutoff_at === null ? null : toMicros(source_cutoff_at),
    level: (row.level ?? null) as string | null,
    quality_state: String(row.quality_state),
    coverage_ratio: textOrNull(row.coverage_ratio),
    quantity: textOrNull(row.quantity),
    published_at: toMicros(published),
    row_ordinal: row.ordinal as number,
    methodology_version: textOrNull(row.methodology_version),
    id: String(row.id),
    line: String(row.line),
    instants: { source, calculated, published },
  }
}

function textOrNull(value: RowValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function groupsOf(rows: readonly SeriesRow[]): Map<string, SeriesRow[]> {
  const groups = new Map<string, SeriesRow[]>()
  for (const row of rows) {
    const group = groups.get(row.line)
    if (group === undefined) groups.set(row.line, [row])
    else group.push(row)
  }
  return groups
}

function pageOfSamples(samples: readonly Sample[], page: HistoryPage): Sample[] {
  const keyed = samples.map((sample) => ({ ...sample, instant: instantIn(sample.instants, page)! }))
  return keyed.filter(isBehind(page)).sort(byPageOrder(page)).slice(0, page.limit)
}

function instantIn(instants: Row, { time_domain }: HistoryPage): Micros | null {
  const value = instants[time_domain]
  return value === null || value === undefined ? null : toMicros(value)
}

/** Reads the whole records of the samples of one series. */
async function recordsOf(
  source: HistorySource,
  series: Series,
  samples: readonly Sample[],
  as_of: Micros,
): Promise<Row[]> {
  const own = samples.filter((sample) => sample.series === series)
  if (own.length === 0) return []
  const ticks = own.map((sample) => sample.tick_at)
  const [first, last] = [Math.min(...ticks), Math.max(...ticks)]
  const { files } = await source.snapshot(series.table)
  const { tick_at } = series.candle
  const near = filesOfSeries(series, files, as_of).filter((file) => within(file, tick_at, first, last + 1))
  return source.query({ table: series.table, files: near }, (relation) =>
    readSql(import.meta.url, 'sql/page_of_records.sql', {
      columns: series.columns.join(', '),
      rows: relation(near),
      known: [knownRows(series, as_of), instantIs(tick_at, '>=', first), instantIs(tick_at, '<=', last)].join(' and '),
      kept: 'select * from visible',
      records: recordsQuery(series),
      wanted: `${series.id} in (${own.map(({ id }) => quoteText(id)).join(', ')})`,
      order: series.id,
      limit: String(own.length),
    }),
  )
}

function within(file: LiveFile, column: string, from: Micros, to: Micros): boolean {
  const range = instantBounds(file, column)
  return range.from < to && range.to >= from
}

function tooManyRows(column: string): ServiceError {
  return new ServiceError(
    'VALIDATION_QUERY_LIMIT',
    `the range holds more than ${CANDLE_ROWS_MAX} records by ${column}; allowed: a shorter range`,
    { rows_max: String(CANDLE_ROWS_MAX) },
  )
}

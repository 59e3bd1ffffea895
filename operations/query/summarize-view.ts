import { Writable } from 'node:stream'
import type { Instant } from '../../primitives/instants.ts'
import { type DescribedColumn, describeViews } from '../../warehouse/describe/describe-view.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type RunSqlOptions, runSql } from './run-sql.ts'

/** Summary of one column; texts of values, null where the column has none or its values have no order. */
export type ColumnSummary = {
  readonly column: string
  readonly type: string
  readonly rows: number
  readonly nulls: number
  /** Estimated number of different values: counting them exactly takes memory for each of them. */
  readonly about_distinct: number
  readonly min: string | null
  /** Values at a quarter, a half and three quarters of the sorted values; each is one of them, so none is rounded. */
  readonly q25: string | null
  readonly q50: string | null
  readonly q75: string | null
  readonly max: string | null
}

/** Longest text of a value in a summary. */
const TEXT_MAX = 60
const FIGURES = ['nulls', 'about_distinct', 'min', 'q25', 'q50', 'q75', 'max'] as const
const SORTED = /^(VARCHAR|BOOLEAN|DATE|TIMESTAMP.*|DECIMAL.*|.*INT|INTEGER|DOUBLE|FLOAT)$/
const MEASURED = /^(TIMESTAMP.*|DECIMAL.*|.*INT|INTEGER|DOUBLE|FLOAT)$/

/**
 * Summarizes every column of a view as of an instant, in one pass over it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for an unknown view; as `runSql`
 */
export async function summarizeView(
  request: Pick<RunSqlOptions, 'limits' | 'signal'> & { warehouse: Warehouse; view: string; as_of: Instant | null },
): Promise<ColumnSummary[]> {
  const { view, ...run } = request
  const [described] = await describeViews([view])
  const columns = described!.columns
  const pieces: Buffer[] = []
  const out = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      pieces.push(Buffer.from(chunk))
      done()
    },
  })
  await runSql({ ...run, sql: summaryStatement(view, columns), format: 'json', out })
  const [row] = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, string | number | null>[]
  return columns.map(({ column, type }, at) => {
    const figures = Object.fromEntries(FIGURES.map((name) => [name, row![`${name}_${at}`]]))
    return { column, type, rows: Number(row!.row_count), ...(figures as Pick<ColumnSummary, (typeof FIGURES)[number]>) }
  })
}

function summaryStatement(view: string, columns: readonly DescribedColumn[]): string {
  const figures = columns.flatMap(({ column, type }, at) => {
    const expressions = figuresOf(`"${column}"`, type)
    return FIGURES.map((name) => `${expressions[name]} as ${name}_${at}`)
  })
  return `select count(*) as row_count, ${figures.join(', ')} from ${view}`
}

function figuresOf(column: string, type: string): Readonly<Record<(typeof FIGURES)[number], string>> {
  const text = (expression: string) => `left((${expression})::varchar, ${TEXT_MAX})`
  const sorted = (expression: string) => (SORTED.test(type) ? text(expression) : 'null')
  const quantile = (share: string) => (MEASURED.test(type) ? text(`quantile_disc(${column}, ${share})`) : 'null')
  return {
    nulls: `count(*) - count(${column})`,
    about_distinct: SORTED.test(type) ? `approx_count_distinct(${column})` : `approx_count_distinct(hash(${column}))`,
    min: sorted(`min(${column})`),
    q25: quantile('0.25'),
    q50: quantile('0.5'),
    q75: quantile('0.75'),
    max: sorted(`max(${column})`),
  }
}

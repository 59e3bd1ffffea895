import { instantOf } from '../data/instant-text.ts'
import type { Layer } from './series.ts'

const COLUMNS = [
  'series',
  'bucket_start',
  'bucket_end',
  'open',
  'high',
  'low',
  'close',
  'value',
  'volume',
  'observation_count',
  'final',
] as const
type CsvRow = Partial<Record<(typeof COLUMNS)[number], string | number | boolean | null>>

/** Characters after which a cell needs quotes (RFC 4180). */
const QUOTED = /[",\r\n]/
/** Beginnings that a spreadsheet takes for a formula; decimals are no such text. */
const FORMULA = /^[=@+\t\r]|^-(?!\d)/

/** Writes layers as CSV: each value with the digits of the API, a missing one as an empty cell. */
export function csvOfLayers(layers: readonly Layer[]): string {
  const rows = layers.flatMap(rowsOf)
  const lines = rows.map((row) => COLUMNS.map((column) => cellText(row[column] ?? null)).join(','))
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}

function rowsOf(layer: Layer): readonly CsvRow[] {
  if (layer.kind === 'line')
    return layer.points.flatMap(({ t, value }) =>
      value === null ? [] : [{ series: layer.name, bucket_start: instantOf(t * 1000), value }],
    )
  return layer.bars.map((bar) => {
    const bucket = {
      series: layer.name,
      bucket_start: instantOf(bar.t * 1000),
      bucket_end: instantOf(bar.t_end * 1000),
    }
    const { volume, observation_count, is_final } = bar
    const known = { ...bucket, volume, observation_count, final: is_final }
    if (layer.kind === 'volume') return known
    const { open, high, low, close } = bar
    return { ...known, open, high, low, close }
  })
}

function cellText(value: string | number | boolean | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

import { groupDigits } from '../data/decimal-text.ts'
import { instantOf, showMinute } from '../data/instant-text.ts'
import type { Bar, Columns, Layer, LinePoint } from './series.ts'

/** A name and its exact value. */
type Word = readonly [name: string, value: string]

/** Exact values of one layer at a column. */
export type LayerWords = { readonly name: string; readonly words: readonly Word[] }

const DAY_S = 86_400

/** Returns the exact values of every layer at a column; a layer without a value there is left out. */
export function wordsAt(layers: readonly Layer[], { cells }: Columns, at: number): readonly LayerWords[] {
  return layers.flatMap((layer, ordinal) => {
    const cell = cells[ordinal]?.[at]
    return cell === undefined ? [] : [{ name: layer.name, words: wordsOf(layer, cell) }]
  })
}

function wordsOf(layer: Layer, cell: Bar | LinePoint): readonly Word[] {
  if (!('close' in cell)) return [['value', known(cell.value)]]
  if (layer.kind === 'volume') return [['traded', known(cell.volume)]]
  const { open, high, low, close } = cell
  const prices = Object.entries({ open, high, low, close }).map(([name, value]): Word => [name, groupDigits(value)])
  return cell.is_final ? prices : [...prices, ['bucket', 'still open']]
}

/** Returns the instant or the bucket of a column. */
export function whenAt({ cells, xs }: Columns, at: number): string {
  const bar = cells.map((column) => column[at]).find((cell) => cell !== undefined && 'close' in cell) as Bar | undefined
  return bar === undefined ? showSecond(xs[at]!) : bucketText(bar)
}

/** Formats a bucket: a day, or start and end. */
export function bucketText({ t, t_end }: Pick<Bar, 't' | 't_end'>): string {
  const start = showSecond(t)
  if (t % DAY_S === 0 && t_end - t === DAY_S) return start.slice(0, 10)
  const end = showSecond(t_end)
  return `${start} to ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`
}

/** Describes a column in one sentence, for screen readers. */
export function describeAt(layers: readonly Layer[], columns: Columns, at: number): string {
  if (columns.xs[at] === undefined) return 'no values'
  const texts = wordsAt(layers, columns, at).map(
    ({ name, words }) => `${name}: ${words.map(([word, value]) => `${word} ${value}`).join(', ')}`,
  )
  return `${whenAt(columns, at)} UTC, ${texts.join('; ')}`
}

function known(value: string | null): string {
  return value === null ? 'not known' : groupDigits(value)
}

function showSecond(seconds: number): string {
  return showMinute(instantOf(seconds * 1000))
}

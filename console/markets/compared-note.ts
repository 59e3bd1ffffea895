import { useState } from 'preact/hooks'
import { bucketText } from '../charts/chart-words.ts'
import { type BarDifference, compareBars } from '../charts/compare-bars.ts'
import type { Bar } from '../charts/series.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { go, type Route } from '../data/route.ts'
import { html } from '../html.ts'
import { InstantForm } from '../knowledge/instant-form.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import type { KnownBars } from './market-layers.ts'

/** Differences that are listed; the chart marks all. */
const ROWS_MAX = 100
const COLUMNS: readonly Column[] = [
  ['Bucket, UTC', 'head'],
  ['Change'],
  ['Known earlier', 'text'],
  ['Known later', 'text'],
]

type NoteProps = {
  readonly shown: Route
  readonly compared: { readonly from: string; readonly to: string } | null
  readonly read: KnownBars | null
}

/** Choice of two instants of knowledge, and what differs between them. */
export function ComparedNote({ shown, compared, read }: NoteProps) {
  const [is_open, setOpen] = useState(false)
  if (compared === null && !is_open)
    return html`<p class="compare"><button type="button" onClick=${() => setOpen(true)}>Compare two instants of knowledge</button></p>`
  const end = () => {
    setOpen(false)
    go({ from: null, to: null }, true)
  }
  const is_both = compared !== null && read !== null && read.earlier !== null
  return html`<div class="compare">
    <${InstantForm} key=${`${shown.from} ${shown.to}`} from=${shown.from} to=${shown.to ?? shown.as_of} />
    <button type="button" onClick=${end}>End the comparison</button>
    ${is_both && html`<${Differences} differences=${compareBars(read.earlier!, read.bars)} />`}
  </div>`
}

function Differences({ differences }: { differences: readonly BarDifference[] }) {
  if (differences.length === 0)
    return html`<p role="status">Both instants show the same candles in this range, digit by digit.</p>`
  const rows = differences.slice(0, ROWS_MAX).map((one) => ({
    key: String(one.t),
    cells: [bucketText(one), one.kind, valuesOf(one.before, one), valuesOf(one.after, one)],
  }))
  const count = `${differences.length} ${differences.length === 1 ? 'candle differs' : 'candles differ'}`
  return html`<details><summary role="status">◆ ${count} between the two instants</summary>
    <${RecordTable} id="differences" title=${count} columns=${COLUMNS} rows=${rows} empty="" />
  </details>`
}

/** Shows the fields that differ, or the close of a candle that only one instant has. */
function valuesOf(bar: Bar | null, { fields }: BarDifference) {
  if (bar === null) return html`<span class="none">not known</span>`
  const names = fields.length === 0 ? (['close'] as const) : fields
  return names.map((name) => {
    const value = bar[name]
    const text = value === null ? 'not known' : groupDigits(String(value))
    return html`<span key=${name}><i class="quiet">${name.replaceAll('_', ' ')}</i> ${text} </span>`
  })
}

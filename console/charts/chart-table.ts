import { groupDigits } from '../data/decimal-text.ts'
import { instantOf, showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'
import { bucketText } from './chart-words.ts'
import type { Bar, Layer, LinePoint } from './series.ts'
import type { TimeWindow } from './window.ts'

/** Rows that a table shows at most; the file has all of them. */
const ROWS_MAX = 300

/** Table of the visible values of each layer, newest first: the same data as the chart for readers who do not see it. */
export function ChartTable({ layers, window }: { layers: readonly Layer[]; window: TimeWindow }) {
  return html`<details class="chart-table">
    <summary>Values as a table</summary>
    ${layers.map((layer) => html`<${LayerTable} key=${layer.name} layer=${layer} window=${window} />`)}
  </details>`
}

function LayerTable({ layer, window }: { layer: Layer; window: TimeWindow }) {
  const rows = layer.kind === 'line' ? lineRows(layer.points, window) : barRows(layer.bars, layer.kind, window)
  const names =
    layer.kind === 'line' ? ['Value'] : layer.kind === 'volume' ? ['Volume'] : ['Open', 'High', 'Low', 'Close']
  const shown = rows.toReversed().slice(0, ROWS_MAX)
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`${layer.name} as a table`}>
    <table>
      <caption>${layer.name}${rows.length > shown.length && html` <span class="quiet">the last ${shown.length} of ${rows.length}; the CSV file has all</span>`}</caption>
      <thead><tr><th scope="col">${layer.kind === 'line' ? 'Instant' : 'Bucket'}, UTC</th>${names.map((name) => html`<th scope="col" class="number" key=${name}>${name}</th>`)}</tr></thead>
      <tbody>${shown.map(
        ([when, ...values]) =>
          html`<tr key=${when}><th scope="row">${when}</th>${values.map((value, at) => html`<td class="number" key=${at}>${value === null ? html`<span class="none">not known</span>` : groupDigits(value)}</td>`)}</tr>`,
      )}</tbody>
    </table>
  </div>`
}

type TableRow = readonly [when: string, ...values: (string | null)[]]

function barRows(bars: readonly Bar[], kind: 'candles' | 'volume', { from, to }: TimeWindow): readonly TableRow[] {
  return bars
    .filter(({ t, t_end }) => t < to && t_end > from)
    .map((bar): TableRow => {
      const values = kind === 'volume' ? [bar.volume] : [bar.open, bar.high, bar.low, bar.close]
      return [bucketText(bar), ...values]
    })
}

function lineRows(points: readonly LinePoint[], { from, to }: TimeWindow): readonly TableRow[] {
  return points
    .filter(({ t }) => t >= from && t <= to)
    .map(({ t, value }): TableRow => [showMinute(instantOf(t * 1000)), value])
}

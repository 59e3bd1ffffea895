import { html } from '../html.ts'
import { saveFile } from '../parts/save-file.ts'
import { csvOfLayers } from './csv.ts'
import { saveChartPng } from './save-png.ts'
import type { Layer } from './series.ts'
import { centerOf, PAN_STEP, panned, type TimeWindow, type WindowLimits, ZOOM_STEP, zoomed } from './window.ts'

type ToolsProps = {
  readonly layers: readonly Layer[]
  readonly window: TimeWindow
  readonly limits: WindowLimits
  readonly whole: TimeWindow
  readonly onWindow: (window: TimeWindow) => void
  /** Begin of the file names. */
  readonly name: string
  /** Lines above a saved picture. */
  readonly captions: readonly string[]
  readonly canvas: { readonly current: HTMLCanvasElement | null }
}

/** Buttons that zoom, move and save a chart: all that pointer and keys do, for everyone. */
export function ChartTools({ layers, window, limits, whole, onWindow, name, captions, canvas }: ToolsProps) {
  const center = centerOf(window)
  const moves = [
    ['−', 'Zoom out', () => zoomed(window, center, 1 / ZOOM_STEP, limits)],
    ['+', 'Zoom in', () => zoomed(window, center, ZOOM_STEP, limits)],
    ['◂', 'Earlier', () => panned(window, -PAN_STEP, limits)],
    ['▸', 'Later', () => panned(window, PAN_STEP, limits)],
    ['Reset', 'Show the whole range', () => whole],
  ] as const
  const saveCsv = () => saveFile(new Blob([csvOfLayers(layers)], { type: 'text/csv' }), `${name}.csv`)
  const savePng = () => canvas.current !== null && saveChartPng(canvas.current, captions, `${name}.png`)
  return html`<div class="chart-tools" role="toolbar" aria-label="Chart">
    ${moves.map(([text, title, move]) => html`<button type="button" key=${title} title=${title} aria-label=${`${text}: ${title}`} onClick=${() => onWindow(move())}>${text}</button>`)}
    <button type="button" onClick=${saveCsv}>Save CSV</button>
    <button type="button" onClick=${savePng}>Save PNG</button>
  </div>`
}

import { expect, test, vi } from 'vitest'
import type { Ink } from '../../console/charts/ink.ts'
import { drawBars, drawMarks as drawChartMarks } from '../../console/charts/layer-ink.ts'
import type { ChartPoint } from '../../console/parts/chart-data.ts'
import { drawCandles, drawMarks, drawVersions } from '../../console/parts/level-ink.ts'

/** Ink whose canvas keeps the calls that draw; styles and states are not calls. */
function paper() {
  const calls: string[] = []
  const note =
    (name: string) =>
    (...values: readonly unknown[]) =>
      void calls.push(`${name} ${values.join(' ')}`)
  const drawing = ['moveTo', 'lineTo', 'fillRect', 'strokeRect', 'arc', 'fillText', 'setLineDash', 'closePath']
  const silent = ['save', 'restore', 'beginPath', 'stroke', 'fill', 'rect', 'clip']
  const context = Object.fromEntries([
    ...drawing.map((one) => [one, note(one)]),
    ...silent.map((one) => [one, vi.fn()]),
    ['measureText', (text: string) => ({ width: 5 * text.length })],
  ])
  const ink = {
    context,
    box: { left: 0, top: 0, width: 100, height: 50 },
    ...{ x: (seconds: number) => seconds, y: (value: number) => 50 - value, color: (name: string) => name, scale: 1 },
  } as unknown as Ink
  return { ink, calls }
}

const WINDOW = { from: 0, to: 100 }
const point = (x: number, prices: readonly number[]) =>
  ({
    x,
    x_end: x + 10,
    y: prices[3],
    candle: { pixels: prices },
    level: null,
    is_corrected: false,
  }) as unknown as ChartPoint

test('candles of layers and of points are drawn alike', () => {
  const [rising, falling] = [
    [10, 20, 5, 15],
    [15, 18, 8, 9],
  ] as const
  const [a, b] = [paper(), paper()]
  drawCandles(a.ink, [point(0, rising), point(20, falling)])
  const bar = (t: number, [open, high, low, close]: readonly number[]) =>
    ({ t, t_end: t + 10, open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}`, volume: null }) as never
  drawBars(b.ink, [bar(0, rising), bar(20, falling)], 'main', WINDOW)
  expect(a.calls).toEqual(b.calls)
  expect(a.calls.filter((call) => call.startsWith('strokeRect'))).toHaveLength(2)
})

test('lines of versions and diamonds of corrections are drawn alike', () => {
  const [a, b] = [paper(), paper()]
  drawVersions(a.ink, [{ at: 30, name: 'version 2' }])
  const corrected = { x: 40, y: 42, level: { observation_id: 'iob' }, is_corrected: true } as unknown as ChartPoint
  drawMarks(a.ink, [corrected], null)
  const marks = [
    { t: 30, name: 'version 2', kind: 'line' },
    { t: 40, name: 'corrected', kind: 'diamond' },
  ] as const
  drawChartMarks(b.ink, marks, WINDOW)
  expect(a.calls).toEqual(b.calls)
  expect(a.calls).toContain('fillText version 2 35 26')
})

test('a name that would lie over the one before it is a row lower; near the end it is left of its line', () => {
  const { ink, calls } = paper()
  drawVersions(ink, [
    { at: 5, name: 'one' },
    { at: 12, name: 'two' },
    { at: 60, name: 'three' },
    { at: 95, name: 'four' },
  ])
  const names = calls.filter((call) => call.startsWith('fillText'))
  expect(names).toEqual(['fillText one 10 26', 'fillText two 17 40', 'fillText three 65 26', 'fillText four 70 40'])
})

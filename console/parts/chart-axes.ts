import type uPlot from 'uplot'
import { MONTH_NAMES } from '../../vocabulary/month.ts'

const DAY_S = 86_400
const FONT = '12px Inter, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif'

/** Returns the labels of the time axis in UTC: the time of day, with the date where the day changes. */
function timeLabels(splits: readonly number[], step_s: number): string[] {
  return splits.map((second, at) => {
    const date = new Date(second * 1000)
    const day = `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]}`
    if (step_s >= DAY_S) return day
    const time = date.toISOString().slice(11, 16)
    const before = splits[at - 1]
    const is_new_day = before === undefined || Math.floor(before / DAY_S) !== Math.floor(second / DAY_S)
    return is_new_day ? `${time}\n${day}` : time
  })
}

/** Returns the axes in the page's colors; the vertical axis has round values, not published levels. */
export function chartAxes(color: (name: string) => string): uPlot.Axis[] {
  const shared = { font: FONT, stroke: () => color('muted') }
  return [
    {
      ...shared,
      space: 62,
      lineGap: 1.25,
      size: 40,
      grid: { show: false },
      ticks: { stroke: () => color('rule'), width: 1, size: 5 },
      values: (_plot, splits, _axis, _space, step) => timeLabels(splits, step),
    },
    {
      ...shared,
      space: 42,
      size: (_plot, values) => 14 + 7 * Math.max(4, ...(values ?? []).map((text) => text.length)),
      grid: { stroke: () => color('grid'), width: 1 },
      ticks: { show: false },
    },
  ]
}

import type { EquityPoint } from '../../../protocol/resources/account-summary.ts'
import { pixelNumber } from '../../data/decimal-text.ts'
import { millisOf } from '../../data/instant-text.ts'
import type { ChartPoint } from '../../parts/chart-data.ts'

/** Converts the equity of one asset to points of a chart; an unknown equity interrupts the line, and is never 0. */
export function pointsOfEquity(points: readonly EquityPoint[], step_s: number): readonly ChartPoint[] {
  return points.map((equity) => {
    const x = millisOf(equity.at) / 1000
    const y = equity.equity === null ? null : pixelNumber(equity.equity)
    return { x, x_end: x + step_s, y, state: 'valid', is_corrected: false, level: null, candle: null, equity }
  })
}

import type { QualityState } from '../../vocabulary/index-level.ts'
import { html } from '../html.ts'
import { bandsOf, type ChartPoint } from './chart-data.ts'

const HATCHES: Partial<Record<QualityState, string>> = {
  degraded: 'M-2 8 8 -2M3 13 18 -2M13 13 28 -2',
  suspended: 'M-2 8 8 -2M3 13 18 -2M13 13 28 -2M-2 3 8 13M3 -2 18 13M13 -2 28 13',
  stale: 'M0 3.5H24M0 8H24',
  indicative: 'M6 0V12M12 0V12M18 0V12',
}

/** Legend of the shading and marks that the chart shows. */
export function ChartLegend({ points, versions }: { points: readonly ChartPoint[]; versions: number }) {
  const states = [...new Set(bandsOf(points).map(({ state }) => state))]
  const is_candles = points[0]?.candle != null
  return html`<ul class="legend">
    ${
      is_candles
        ? html`<li><svg viewBox="0 0 22 12" width="22" height="12" aria-hidden="true"><path class="up" d="M6 0V12M3 3h6v6H3Z" /><path class="down" d="M16 0V12M13 3h6v6H13Z" /></svg> rising, falling</li>`
        : html`<li><svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true"><path class="level-line" d="M0 6H24" /></svg> level</li>`
    }
    ${
      !is_candles &&
      points.some(({ is_corrected }) => is_corrected) &&
      html`<li><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path class="diamond" d="M6 1.5 10.5 6 6 10.5 1.5 6Z" /></svg> corrected</li>`
    }
    ${states.map(
      (state) => html`<li key=${state}>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true" class=${`swatch is-${state}`}><rect width="24" height="12" /><path d=${HATCHES[state] ?? ''} /></svg> ${state}
      </li>`,
    )}
    ${versions > 0 && html`<li><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path class="version-line" d="M6 0V12" /></svg> new version</li>`}
  </ul>`
}

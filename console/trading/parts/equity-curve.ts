import { useState } from 'preact/hooks'
import type { EquityPoint } from '../../../protocol/resources/account-summary.ts'
import { useLoaded, useNow } from '../../data/hooks.ts'
import { durationMillis, instantOf } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { Choice } from '../../parts/choice.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { LoadedView } from '../../views/loaded-view.ts'
import type { Session } from '../account/session.ts'
import { pointsOfEquity } from '../data/equity-points.ts'

/** The chart's code loads when a curve is first drawn. */
const loadChart = () => import('../../parts/level-chart.ts')

const RANGES = {
  PT1H: { label: '1 h', interval: 'PT1M' },
  P1D: { label: '24 h', interval: 'PT15M' },
  P7D: { label: '7 d', interval: 'PT1H' },
  P30D: { label: '30 d', interval: 'P1D' },
} as const
type Range = keyof typeof RANGES
const AGAIN_MS = 60_000

/** Equity of the account over time, in one asset. */
export function EquityCurve({ session, assets }: { session: Session; assets: readonly string[] }) {
  const [range, setRange] = useState<Range>('P1D')
  const [chosen, setAsset] = useState<string | null>(null)
  const asset_id = chosen ?? assets[0] ?? null
  const now = useNow(AGAIN_MS)
  const { interval } = RANGES[range]
  const step = durationMillis(interval)!
  const end = (Math.floor(now / step) + 1) * step
  const start = end - durationMillis(range)!
  const query = { start_time: instantOf(start), end_time: instantOf(end), interval }
  const loaded = useLoaded<readonly EquityPoint[]>(
    asset_id === null ? null : `${session.account.key_id} ${asset_id} ${range}`,
    async (signal) =>
      (
        await session.api.get<readonly EquityPoint[]>(
          '/account/equity-history',
          { ...query, asset_id: asset_id! },
          signal,
        )
      ).data,
    now,
  )
  return html`<section aria-labelledby="equity-title">
    <div class="section-head"><h2 id="equity-title">Equity</h2>
      <${Choice} legend="Range of the equity" name="equity-range" value=${range} options=${Object.entries(RANGES).map(([name, { label }]) => [name, label])} onChoose=${(name: string) => setRange(name as Range)} />
      ${assets.length > 1 && html`<${Choice} legend="Asset of the equity" name="equity-asset" value=${asset_id!} options=${assets.map((one) => [one, one])} onChoose=${setAsset} />`}
    </div>
    ${asset_id === null && html`<${Empty}>No balances<//>`}
    ${asset_id !== null && loaded.state === 'loading' && html`<div class="plot-space"><${Loading} what="equity" /></div>`}
    ${loaded.state === 'failed' && html`<${ErrorNote} error=${loaded.error} what="Equity" />`}
    ${loaded.state === 'ready' && html`<${Curve} points=${loaded.data} range=${[start / 1000, end / 1000]} step_s=${step / 1000} />`}
  </section>`
}

type CurveProps = {
  readonly points: readonly EquityPoint[]
  readonly range: readonly [from: number, to: number]
  readonly step_s: number
}

function Curve({ points, range, step_s }: CurveProps) {
  const missing = [...new Set(points.flatMap(({ missing_mark_outcome_ids }) => missing_mark_outcome_ids))]
  if (points.length === 0) return html`<${Empty}>No equity in this range<//>`
  return html`<div class="plot-space"><${LoadedView} load=${loadChart} what="the chart" points=${pointsOfEquity(points, step_s)} range=${range} versions=${NONE}
      chosen_id=${null} label="Equity over time; arrow keys move between instants" onChoose=${ignored} /></div>
    ${missing.length > 0 && html`<p class="quiet">Unknown where a mark is missing: ${missing.map((id) => html`<code key=${id}>${id}</code> `)}</p>`}`
}

const NONE = [] as const
function ignored(): void {}

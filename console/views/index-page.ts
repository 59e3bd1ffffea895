import { useEffect } from 'preact/hooks'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../data/hooks.ts'
import { millisOf, showAge, showMinute } from '../data/instant-text.ts'
import { gaps, live_statuses } from '../data/live.ts'
import { getIndex, listVersions, type Price } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Change } from '../parts/change.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { LevelText } from '../parts/level-text.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { Panel } from '../parts/panel.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { StaleMark } from '../parts/stale-mark.ts'
import { usePrice } from '../parts/use-price.ts'
import { ChartSection, loadChart } from './chart-section.ts'
import { LoadedView } from './loaded-view.ts'
import { ObservationSection } from './observation-section.ts'

const loadVersions = () => import('../parts/version-table.ts')
const loadRobustness = () => import('../robustness/robustness-section.ts')

/** One index: its latest level, its history and its constituents. */
export function IndexPage({ api, index_id }: { api: Api; index_id: string }) {
  const again = useCell(gaps)
  const key = `${index_id} ${api.as_of}`
  const shown = useCell(route)
  // Preloads while the first reads run; a failure is shown where the chart would be.
  useEffect(() => void loadChart().catch(() => undefined), [])
  const about = useLoaded(
    `about ${key}`,
    async (signal) => {
      const [index, versions] = await Promise.all([
        getIndex(api, index_id, signal),
        listVersions(api, index_id, signal),
      ])
      return { index, versions }
    },
    again,
  )
  const { read, latest } = usePrice(api, index_id)
  if (about.state === 'failed')
    return html`<p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / index</p>
      <h1>Index</h1><${ErrorNote} error=${about.error} what="Index" />`
  if (about.state === 'loading') return html`<${Loading} what="index" />`
  const { index, versions } = about.data
  const observation_id = shown.observation_id ?? latest?.observation_id ?? null
  return html`<${Head} api=${api} index=${index} latest=${latest} price=${read.data} />
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Latest level" />`}
    ${read.state === 'loading' && html`<${Loading} what="latest level" />`}
    ${read.state === 'ready' && latest === null && html`<${Empty}>No levels yet<//>`}
    ${
      read.state === 'ready' &&
      latest !== null &&
      html`<${ChartSection} api=${api} latest=${latest} versions=${versions} />
      <${Panel} name="robustness" title="What this level withstands" load=${loadRobustness} view=${{ api, index_id, observation_id }} />
      <${ObservationSection} api=${api} latest=${latest} versions=${versions} />`
    }
    <${LoadedView} load=${loadVersions} what="versions" versions=${versions} latest=${latest} />`
}

function Head({
  api,
  index,
  latest,
  price,
}: {
  api: Api
  index: Index
  latest: IndexObservation | null
  price: Price | null
}) {
  const anchor = price?.level ?? null
  const shown = useCell(route)
  const status = useCell(live_statuses).get(index.index_id)?.status ?? index.status
  const { day = null } = index
  return html`<header class="index-head">
    <div>
      <p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / ${index.symbol}</p>
      <h1>${index.name}</h1><${InventedMark} simulated=${index.simulated} />
      ${index.description !== null && html`<p class="quiet about">${index.description}</p>`}
      ${status !== 'active' && html`<p><span class="tag">${status}</span></p>`}
      <${Further} index_id=${index.index_id} />
    </div>
    ${
      latest !== null &&
      html`<div class="figure">
      <p class="now" aria-live="polite" aria-atomic="true">
        <${LevelText} latest=${latest} read=${anchor} />
        <span class="unit">${latest.unit.replaceAll('_', ' ')}</span>
      </p>
      <p class="beside">
        <${Change} from=${day?.base_level ?? null} to=${latest.level} since=${day?.base_at ?? ''} /> <span class="quiet">in 24 h</span>
        <${QualityBadge} state=${latest.quality_state} />
        <${StaleMark} api=${api} latest=${latest} max_age_ms=${price?.max_age_ms ?? null} />
      </p>
      <p class="quiet instant">${showMinute(latest.tick_at)} UTC<${Age} api=${api} latest=${latest} /></p>
    </div>`
    }
  </header>`
}

/** Links to what else is known of an index. */
function Further({ index_id }: { index_id: string }) {
  const shown = useCell(route)
  const links = [
    ['Chart', { view: 'chart', index_id }],
    ['Factsheet', { view: 'factsheet', index_id }],
    ['Eligibility', { view: 'eligibility', index_id }],
    ['Restatements', { view: 'restatements', index_id }],
    ['Rule changes', { view: 'rules', index_id, kind: 'changed' }],
    ['What became known', { view: 'knowledge', index_id }],
  ] as const
  return html`<nav class="views" aria-label="Of this index">${links.map(([name, change]) => html`<a key=${name} href=${linkTo(shown, change)}>${name}</a>`)}</nav>`
}

function Age({ api, latest }: { api: Api; latest: IndexObservation }) {
  const now = useNow()
  return api.as_of === null ? html`, ${showAge(now - millisOf(latest.tick_at))}` : null
}

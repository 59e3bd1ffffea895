import { useEffect, useMemo } from 'preact/hooks'
import type { Api } from './data/api-client.ts'
import { useCell } from './data/hooks.ts'
import { liveApi, setPast } from './data/live.ts'
import { linkTo, type Route, route } from './data/route.ts'
import { GOVERNANCE_VIEWS, type INDEX_VIEWS, LIST_VIEWS, VIEWS } from './data/views.ts'
import { html } from './html.ts'
import { AsOfPicker } from './parts/as-of-picker.ts'
import { ConnectionState } from './parts/connection-state.ts'
import { Empty } from './parts/notes.ts'
import { PastBanner } from './parts/past-banner.ts'
import { WaitNote } from './parts/wait-note.ts'
import { IndexList } from './views/index-list.ts'
import { IndexPage } from './views/index-page.ts'
import { LoadedView } from './views/loaded-view.ts'

/** Rarely opened views load on first use, so the first page shows its numbers sooner. */
const loadIngest = () => import('./views/ingest-page.ts')
const loadTrading = () => import('./trading/trading-page.ts')
const loadMarkets = () => import('./markets/markets-page.ts')
const loadEvents = () => import('./assessments/events-page.ts')
const loadLists = () => import('./assessments/lists/assessment-lists.ts')
const loadDebug = () => import('./debug/debug-page.ts')
const loadGovernance = () => import('./governance/governance-page.ts')

/** Modules of the further views of an index. */
const INDEX_MODULES: Readonly<Record<keyof typeof INDEX_VIEWS, () => Promise<unknown>>> = {
  chart: () => import('./indexes/index-chart-page.ts'),
  lineage: () => import('./indexes/lineage-page.ts'),
  factsheet: () => import('./indexes/factsheet-page.ts'),
  knowledge: () => import('./knowledge/knowledge-page.ts'),
}

/** The page: one view at a time, all its data as of one instant. */
export function App() {
  const shown = useCell(route)
  const { as_of, view } = shown
  const title = titleOf(shown)
  const api = useMemo(() => liveApi(as_of), [as_of])
  useEffect(() => setPast(as_of !== null), [as_of])
  useEffect(() => {
    document.title = [title, as_of === null ? null : `as of ${as_of}`, 'Tidemark'].filter(Boolean).join(' · ')
  }, [as_of, title])
  return html`<a class="skip" href="#main">Skip to the levels</a>
    <header class="bar">
      <div class="inside">
        <a class="brand" href=${linkTo(shown, {})}><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M1 7c3-3 6-3 9 0s6 3 9 0M1 13c3-3 6-3 9 0s6 3 9 0" /></svg>Tidemark</a>
        <nav aria-label="Service">
          <a href=${linkTo(shown, {})} aria-current=${view === null && shown.market_id === null ? 'page' : null}>Indexes</a>
          <a href=${linkTo(shown, { view: 'markets' })} aria-current=${view === 'markets' || (view === null && shown.market_id !== null) ? 'page' : null}>Markets</a>
          <a href=${linkTo(shown, { view: 'trade' })} aria-current=${view === 'trade' ? 'page' : null}>Trade</a>
          <a href=${linkTo(shown, { view: 'events' })} aria-current=${view === 'events' || (view ?? '') in LIST_VIEWS ? 'page' : null}>Events</a>
          <a href=${linkTo(shown, { view: 'governance' })} aria-current=${(view ?? '') in GOVERNANCE_VIEWS ? 'page' : null}>Governance</a>
          <a href=${linkTo(shown, { view: 'ingest' })} aria-current=${view === 'ingest' ? 'page' : null}>Ingest</a>
          <a href="/docs">API</a>
        </nav>
        <${ConnectionState} />
        <${AsOfPicker} />
      </div>
    </header>
    <${PastBanner} />
    <${WaitNote} />
    <main id="main" tabindex="-1">
      ${viewOf(shown, api)}
    </main>
    <footer>Numbers come from the <a href="/docs">public API</a>; changes and percentages are computed from them. Times are UTC. Every record is in a <a href=${linkTo(shown, { view: 'log' })}>log that you can verify</a>. The <a href=${linkTo(shown, { view: 'debug' })}>signature debugger</a> explains why a signature is refused.</footer>`
}

function titleOf({ market_id, index_id, event_id, proposal_id, complaint_id, view }: Route): string | null {
  return market_id ?? index_id ?? event_id ?? proposal_id ?? complaint_id ?? VIEWS[view ?? ''] ?? null
}

function viewOf({ view, market_id, index_id, event_id, as_of }: Route, api: Api) {
  if (view === 'trade') {
    if (as_of !== null) return html`<h1>Trade</h1><${Empty}>Trading is live only. Go back to now.<//>`
    return html`<${LoadedView} key="trading" load=${loadTrading} what="the trading view" api=${api} market_id=${market_id} />`
  }
  if (view !== null && view in GOVERNANCE_VIEWS)
    return html`<${LoadedView} key="governance" load=${loadGovernance} what="governance" api=${api} view=${view} />`
  if (view !== null && view in LIST_VIEWS)
    return html`<${LoadedView} key="lists" load=${loadLists} what="assessments" api=${api} view=${view} />`
  if (index_id !== null && view !== null && view in INDEX_MODULES) {
    const load = INDEX_MODULES[view as keyof typeof INDEX_MODULES]
    return html`<${LoadedView} key=${`${view} ${index_id}`} load=${load} what="this view" api=${api} index_id=${index_id} />`
  }
  if (market_id !== null || view === 'markets')
    return html`<${LoadedView} key="markets" load=${loadMarkets} what="markets" api=${api} market_id=${market_id} />`
  if (index_id !== null) return html`<${IndexPage} key=${index_id} api=${api} index_id=${index_id} />`
  if (view === 'events')
    return html`<${LoadedView} key="events" load=${loadEvents} what="events" api=${api} event_id=${event_id} />`
  if (view === 'debug') return html`<${LoadedView} key="debug" load=${loadDebug} what="the debugger" />`
  if (view === 'ingest') return html`<${LoadedView} key="ingest" load=${loadIngest} what="ingest" api=${api} />`
  return html`<h1>Indexes</h1><${IndexList} api=${api} />`
}

import { useEffect, useMemo } from 'preact/hooks'
import { useCell } from './data/hooks.ts'
import { liveApi, setPast } from './data/live.ts'
import { linkTo, route } from './data/route.ts'
import { html } from './html.ts'
import { AsOfPicker } from './parts/as-of-picker.ts'
import { ConnectionState } from './parts/connection-state.ts'
import { PastBanner } from './parts/past-banner.ts'
import { IndexList } from './views/index-list.ts'
import { IndexPage } from './views/index-page.ts'
import { IngestPage } from './views/ingest-page.ts'
import { MarketPage } from './views/market-page.ts'

/** The page: one view at a time, all of it as of one instant. */
export function App() {
  const shown = useCell(route)
  const { as_of, index_id, market_id, view } = shown
  const title = market_id ?? index_id ?? (view === 'ingest' ? 'Ingest' : null)
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
          <a href=${linkTo(shown, { view: 'ingest' })} aria-current=${view === 'ingest' ? 'page' : null}>Ingest</a>
          <a href="/docs">API</a>
        </nav>
        <${ConnectionState} />
        <${AsOfPicker} />
      </div>
    </header>
    <${PastBanner} />
    <main id="main" tabindex="-1">
      ${
        market_id !== null
          ? html`<${MarketPage} key=${market_id} api=${api} market_id=${market_id} />`
          : index_id !== null
            ? html`<${IndexPage} key=${index_id} api=${api} index_id=${index_id} />`
            : view === 'ingest'
              ? html`<${IngestPage} api=${api} />`
              : html`<h1>Indexes</h1><${IndexList} api=${api} />`
      }
    </main>
    <footer>Every number is a decimal of the <a href="/docs">public API</a>, shown with all its digits. Times are UTC.</footer>`
}

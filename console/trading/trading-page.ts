import { useEffect, useState } from 'preact/hooks'
import type { Capabilities } from '../../protocol/resources/capabilities.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { Order } from '../../protocol/resources/order.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { type Api, getAll } from '../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../data/hooks.ts'
import { html } from '../html.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { reopenSession, session } from './account/session.ts'
import { draftOf, emptyDraft, NO_CAPS, type OrderDraft } from './data/order-draft.ts'
import type { Markets } from './parts/names.ts'
import { AccountBar } from './views/account-bar.ts'
import { AccountSections } from './views/account-sections.ts'
import { Desk } from './views/desk.ts'
import { MarketList } from './views/market-list.ts'

/** Polling interval: the stream does not announce market statuses. */
const MARKETS_AGAIN_MS = 15_000

/** Trading page: the market list, or one market with its book and ticket; below it the account. */
export default function TradingPage({ api, market_id }: { api: Api; market_id: string | null }) {
  const again = useNow(MARKETS_AGAIN_MS)
  const service = useLoaded(
    'capabilities',
    async (signal) => (await api.get<Capabilities>('/capabilities', {}, signal)).data,
  )
  const listed = useLoaded(
    'tradable',
    (signal) => getAll<Market>(api, '/markets', { venue_id: OWN_VENUE, limit: 1000 }, signal),
    again,
  )
  const environment = service.data?.environment ?? null
  useEffect(() => {
    if (environment !== null) void reopenSession(environment)
  }, [environment])
  if (service.state === 'failed') return html`<h1>Trade</h1><${ErrorNote} error=${service.error} what="Service" />`
  if (service.state === 'loading' || environment === null) return html`<h1>Trade</h1><${Loading} what="service" />`
  if (!service.data.signed_requests.available)
    return html`<h1>Trade</h1><${Empty}>Trading is not available on this service<//>`
  if (listed.state === 'failed') return html`<h1>Trade</h1><${ErrorNote} error=${listed.error} what="Markets" />`
  if (listed.state === 'loading') return html`<h1>Trade</h1><${Loading} what="markets" />`
  const markets: Markets = new Map(listed.data.map((market) => [market.market_id, market]))
  return html`<${Floor} key=${market_id} api=${api} environment=${environment} markets=${markets} market_id=${market_id} />`
}

/** The ticket belongs to one market and to the account that is open. */
function Floor({
  api,
  environment,
  markets,
  market_id,
}: {
  api: Api
  environment: string
  markets: Markets
  market_id: string | null
}) {
  const open = useCell(session)
  const market = market_id === null ? null : (markets.get(market_id) ?? null)
  const [draft, setDraft] = useState<OrderDraft>(() => emptyDraft(market?.outcomes[0]?.outcome_id ?? ''))
  const [replaced, setReplaced] = useState<Order | null>(null)
  const change = (next: Partial<OrderDraft>) => setDraft((before) => ({ ...before, ...next }))
  const end = () => {
    setReplaced(null)
    setDraft((before) => ({ ...before, quantity: '', ...NO_CAPS }))
  }
  const replace = (order: Order) => {
    setReplaced(order)
    setDraft(draftOf(order))
    document.getElementById('ticket-title')?.scrollIntoView({ block: 'center' })
    document.getElementById('limit_price')?.focus({ preventScroll: true })
  }
  return html`<${AccountBar} environment=${environment} session=${open} />
    ${market_id !== null && market === null && html`<h1>Trade</h1><${Empty}>Market ${market_id} is not traded here<//>`}
    ${market_id === null && html`<${MarketList} api=${api} markets=${markets} />`}
    ${market !== null && html`<${Desk} environment=${environment} market=${market} session=${open} draft=${draft} replaced=${replaced} change=${change} onEnd=${end} />`}
    ${open !== null && html`<${AccountSections} session=${open} markets=${markets} market_id=${market_id} onReplace=${replace} />`}`
}

import type { Api } from '../data/api-client.ts'
import { html } from '../html.ts'
import { MarketList } from './market-list.ts'
import { MarketPage } from './market-page.ts'

/** The list of markets, or one market. */
export default function MarketsPage({ api, market_id }: { api: Api; market_id: string | null }) {
  if (market_id !== null) return html`<${MarketPage} key=${market_id} api=${api} market_id=${market_id} />`
  return html`<${MarketList} api=${api} />`
}

import type { Market } from '../../../protocol/resources/market.ts'
import type { Api } from '../../data/api-client.ts'
import { trimZeros } from '../../data/decimal-text.ts'
import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { useMarketPrice } from '../../data/use-market-price.ts'
import { html } from '../../html.ts'
import { Empty } from '../../parts/notes.ts'
import type { Markets } from '../parts/names.ts'

/** Markets of this exchange by title, with bid, ask and last trade of the first outcome. */
export function MarketList({ api, markets }: { api: Api; markets: Markets }) {
  const listed = [...markets.values()].toSorted((a, b) => a.title.localeCompare(b.title))
  if (listed.length === 0) return html`<h1>Trade</h1><${Empty}>No markets yet<//>`
  return html`<h1>Trade</h1>
    <div class="scroll" tabindex="0" role="region" aria-label="Markets">
      <table class="markets records">
        <thead><tr><th scope="col">Market</th><th scope="col">Outcome</th>${PRICES.map(([name]) => html`<th scope="col" class="number" key=${name}>${name}</th>`)}<th scope="col">Status</th></tr></thead>
        <tbody>${listed.map((market) => html`<${MarketRow} key=${market.market_id} api=${api} market=${market} />`)}</tbody>
      </table>
    </div>`
}

const PRICES = [
  ['Bid', 'best_bid'],
  ['Ask', 'best_ask'],
  ['Last trade', 'last_trade'],
] as const

function MarketRow({ api, market }: { api: Api; market: Market }) {
  const { market_id, title, outcomes, status } = market
  const shown = useCell(route)
  const { price } = useMarketPrice(api, market_id)
  const first = outcomes[0]
  const quoted = price?.outcomes.find(({ outcome_id }) => outcome_id === first?.outcome_id)
  return html`<tr>
    <th scope="row" class="text"><a href=${linkTo(shown, { view: 'trade', market_id })}>${title}</a></th>
    <td data-name="Outcome">${first?.label ?? '–'}</td>
    ${PRICES.map(([name, field]) => html`<td class="number" key=${name} data-name=${name}>${shownPrice(quoted?.[field])}</td>`)}
    <td data-name="Status">${status ?? html`<span class="none">unknown</span>`}</td>
  </tr>`
}

function shownPrice(price: string | null | undefined) {
  return price == null ? html`<span class="none">–</span>` : trimZeros(price)
}

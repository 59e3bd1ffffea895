import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Empty } from '../../parts/notes.ts'
import type { Markets } from '../parts/names.ts'

/** The markets that this service matches, by name. */
export function MarketList({ markets }: { markets: Markets }) {
  const shown = useCell(route)
  const listed = [...markets.values()].toSorted((a, b) => a.title.localeCompare(b.title))
  return html`<h1>Trade</h1>
    ${listed.length === 0 && html`<${Empty}>No market is listed yet.<//>`}
    ${
      listed.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Markets">
        <table class="markets">
          <thead><tr><th scope="col">Market</th><th scope="col">Outcomes</th><th scope="col">Status</th></tr></thead>
          <tbody>${listed.map(
            ({ market_id, title, outcomes, status }) => html`<tr key=${market_id}>
              <th scope="row" class="text"><a href=${linkTo(shown, { view: 'trade', market_id })}>${title}</a></th>
              <td>${outcomes.map(({ label }) => label).join(', ')}</td>
              <td>${status ?? html`<span class="none">not known</span>`}</td>
            </tr>`,
          )}</tbody>
        </table>
      </div>`
    }`
}

import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Api } from '../data/api-client.ts'
import { useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { getMarket } from '../data/reads.ts'
import { html } from '../html.ts'
import { MarketLink } from './market-link.ts'
import { ErrorNote } from './notes.ts'
import type { Input } from './used-market.ts'
import { ValueCell } from './value-cell.ts'

/** Legs of a constituent with several venues; their markets are read when the table opens. */
export default function LegTable({ api, constituent, input }: { api: Api; constituent: Constituent; input: Input }) {
  const ids = input.legs.map(({ market_id }) => market_id)
  const read = useLoaded(`legs ${ids.join()} ${api.as_of}`, (signal) =>
    Promise.all(ids.map((id) => getMarket(api, id, signal))),
  )
  return html`${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Legs" />`}
    <table aria-label=${`Legs of ${constituent.market?.title ?? constituent.constituent_id}`}>
      <thead>
        <tr>
          <th scope="col">Leg</th>
          <th scope="col">Outcome</th>
          <th scope="col">Venue</th>
          <th scope="col" class="number">Value</th>
          <th scope="col">Freshness</th>
          <th scope="col">Mark rule</th>
          <th scope="col">Confirmed, UTC</th>
        </tr>
      </thead>
      <tbody>
        ${input.legs.map(({ market_id, outcome_id, value, freshness_class, mark_rule, confirmed_at }, at) => {
          const market = read.data?.[at]
          return html`<tr key=${`${market_id} ${outcome_id}`}>
            <th scope="row" class="text"><${MarketLink} market_id=${market_id} title=${market?.title ?? market_id} /></th>
            <td>${market?.outcomes.find((one) => one.outcome_id === outcome_id)?.label ?? '–'}</td>
            <td>${market?.venue_mapping?.venue_id ?? '–'}</td>
            <${ValueCell} text=${value} />
            <td>${freshness_class}</td>
            <td>${mark_rule ?? '–'}</td>
            <td class="instant">${confirmed_at === null ? '–' : showInstant(confirmed_at)}</td>
          </tr>`
        })}
      </tbody>
    </table>`
}

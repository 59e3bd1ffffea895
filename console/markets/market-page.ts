import type { Market } from '../../protocol/resources/market.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { type Api, urlOf } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant, showMinute } from '../data/instant-text.ts'
import { gaps } from '../data/live.ts'
import { getMarket } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { useMarketPrice } from '../data/use-market-price.ts'
import { html } from '../html.ts'
import { type Fact, Facts } from '../parts/facts.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { Panel } from '../parts/panel.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { ValueCell } from '../parts/value-cell.ts'
import { LoadedView } from '../views/loaded-view.ts'
import { DepthSection } from './depth-section.ts'
import { PriceSection } from './price-section.ts'
import { ResolutionSection } from './resolution-section.ts'

const loadPreviews = () => import('../robustness/preview-section.ts')
const loadSeverity = () => import('./severity-note.ts')
const loadRating = () => import('../assessments/rating-section.ts')

/** One market: prices over time and now, its book, rules, rating, the severity of its event, and its resolution. */
export function MarketPage({ api, market_id }: { api: Api; market_id: string }) {
  const again = useCell(gaps)
  const about = useLoaded(`market ${market_id} ${api.as_of}`, (signal) => getMarket(api, market_id, signal), again)
  const { read, price } = useMarketPrice(api, market_id)
  const shown = useCell(route)
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'markets' })}>Markets</a> / market</p>`
  if (about.state === 'failed') return html`${place}<h1>Market</h1><${ErrorNote} error=${about.error} what="Market" />`
  if (about.state === 'loading') return html`<${Loading} what="market" />`
  if (about.data === null)
    return html`${place}<h1>Market</h1><${Empty}>Market <code>${market_id}</code> not found${api.as_of === null ? '' : ' at this time'}<//>`
  const market = about.data
  const outcome = market.outcomes.find(({ outcome_id }) => outcome_id === shown.outcome_id) ?? market.outcomes[0]
  return html`${place}
    <h1>${market.title}</h1><${InventedMark} simulated=${market.simulated} />
    <p class="beside">${market.status !== 'open' && html`<span class="tag">${market.status ?? 'status unknown'}</span> `}${price !== null && html`<${QualityBadge} state=${price.quality_state} />`}</p>
    ${market.venue_mapping?.venue_id === OWN_VENUE && api.as_of === null && html`<p><a href=${linkTo(shown, { view: 'trade', market_id })}>Trade this market</a></p>`}
    <nav class="views" aria-label="Of this market">
      <a href=${linkTo(shown, { view: 'eligibility', market_id })}>Eligibility</a>
      <a href=${linkTo(shown, { view: 'rules', market_id })}>Rules as they changed</a>
    </nav>
    ${read.state !== 'loading' && html`<${PriceSection} api=${api} market=${market} price=${price} is_simulated=${market.simulated} />`}
    ${outcome !== undefined && html`<${DepthSection} key=${outcome.outcome_id} api=${api} market_id=${market_id} outcome=${outcome} />`}
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Price" />`}
    ${read.state === 'ready' && price === null && html`<${Empty}>No quotes yet<//>`}
    ${price !== null && html`<${Quotes} market=${market} price=${price} />`}
    <${LoadedView} load=${loadRating} what="rating" api=${api} market_id=${market_id} />
    <${LoadedView} load=${loadSeverity} what="severity" api=${api} event_id=${market.event_id} />
    <${ResolutionSection} api=${api} market=${market} />
    <${Panel} name="previews" title="Indexes under each outcome" load=${loadPreviews} view=${{ api, market_id }} />
    <${Rules} market=${market} />
    <section aria-labelledby="about-title">
      <h2 id="about-title">About</h2>
      <${Facts} facts=${factsOf(api, market, price)} />
    </section>`
}

function Quotes({ market, price }: { market: Market; price: MarketPrice }) {
  return html`<section aria-labelledby="quotes-title">
    <h2 id="quotes-title">Latest quotes and marks</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Latest quotes and marks">
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            ${['Bid', 'Ask', 'Midpoint', 'Last trade', 'Mark'].map((name) => html`<th scope="col" class="number" key=${name}>${name}</th>`)}
            <th scope="col">Mark rule</th>
            <th scope="col">Derived</th>
          </tr>
        </thead>
        <tbody>
          ${price.outcomes.map(
            (one) => html`<tr key=${one.outcome_id}>
              <th scope="row">${market.outcomes.find(({ outcome_id }) => outcome_id === one.outcome_id)?.label ?? one.outcome_id}</th>
              ${[one.best_bid, one.best_ask, one.midpoint, one.last_trade, one.mark].map((text, at) => html`<${ValueCell} key=${at} text=${text} />`)}
              <td>${one.mark_rule ?? '–'}</td>
              <td class="text">${one.derived ? (one.derivation_rule ?? 'yes') : 'no'}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

/** The text that decides how a market is resolved, as the venue states it now or stated it at the instant. */
function Rules({ market }: { market: Market }) {
  const { rules } = market
  if (rules === null)
    return html`<section aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2><${Empty}>The venue states no rules<//></section>`
  const { resolution_question, resolution_criteria, resolution_sources, dispute_policy_uri, rules_version, timezone } =
    rules
  const link = (address: string) =>
    html`<a key=${address} href=${address} target="_blank" rel="noopener noreferrer">${address}</a> `
  return html`<section aria-labelledby="rules-title">
    <div class="section-head"><h2 id="rules-title">Rules</h2><span class="quiet">${rules_version !== null && html`version <code class="hash">${rules_version}</code>`}</span></div>
    ${resolution_question !== null && html`<p><b>${resolution_question}</b></p>`}
    ${resolution_criteria !== null && html`<p class="criteria">${resolution_criteria}</p>`}
    <${Facts} facts=${[
      ['Sources', resolution_sources.length === 0 ? null : resolution_sources.map(link)],
      ['Disputes', dispute_policy_uri === null ? null : link(dispute_policy_uri)],
      ['Time zone', timezone],
    ]} />
  </section>`
}

function factsOf(api: Api, market: Market, price: MarketPrice | null): readonly Fact[] {
  const { schedule, venue_mapping } = market
  const address = urlOf(`/markets/${market.market_id}/price`, api.as_of === null ? {} : { as_of: api.as_of })
  const instant = (text: string | null | undefined) => (text == null ? null : html`${showMinute(text)} UTC`)
  return [
    [
      'Venue',
      venue_mapping === null
        ? null
        : html`${venue_mapping.venue_id} <code class="hash">${venue_mapping.source_market_id}</code>`,
    ],
    ['Event', html`<${EventLink} event_id=${market.event_id} />`],
    ['Status', market.status],
    ['Quality', price === null ? null : html`<${QualityBadge} state=${price.quality_state} />`],
    ['Venue time', price === null ? null : html`${showInstant(price.source_at)} UTC`],
    ['Published', price === null ? null : html`${showInstant(price.published_at)} UTC`],
    ['Opens', instant(schedule?.opens_at)],
    ['Closes', instant(schedule?.closes_at)],
    ["Volume, 24 h, venue's unit", market.metrics?.volume_24h == null ? null : groupDigits(market.metrics.volume_24h)],
    [
      'Record',
      html`<a href=${address} target="_blank" rel="noopener"><code class="hash">${market.market_id}</code></a>`,
    ],
  ]
}

function EventLink({ event_id }: { event_id: string }) {
  return html`<a href=${linkTo(useCell(route), { view: 'events', event_id })}><code class="hash">${event_id}</code></a>`
}

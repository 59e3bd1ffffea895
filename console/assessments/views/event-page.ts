import type { Event } from '../../../protocol/resources/event.ts'
import { ASSESSMENT_TYPES } from '../../../vocabulary/severity.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { MarketLink } from '../../parts/market-link.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { getEvent } from '../reads.ts'
import { SeveritySection } from './severity-section.ts'

const MARKETS_MAX = 20

/** One event with its observed and its forecast severity. */
export function EventPage({ api, event_id }: { api: Api; event_id: string }) {
  const shown = useCell(route)
  const read = useLoaded(`event ${event_id} ${api.as_of}`, (signal) => getEvent(api, event_id, signal))
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'events' })}>Events</a> / event</p>`
  if (read.state === 'failed') return html`${place}<h1>Event</h1><${ErrorNote} error=${read.error} what="Event" />`
  if (read.state === 'loading') return html`<${Loading} what="event" />`
  return html`${place}
    <h1>${read.data.title}</h1>
    ${read.data.description !== null && html`<p class="quiet">${read.data.description}</p>`}
    ${ASSESSMENT_TYPES.map((assessment_type) => html`<${SeveritySection} key=${assessment_type} api=${api} event_id=${event_id} assessment_type=${assessment_type} />`)}
    <section aria-labelledby="about-title">
      <h2 id="about-title">About</h2>
      <${Facts} facts=${factsOf(api, read.data)} />
    </section>`
}

function factsOf(api: Api, event: Event): readonly Fact[] {
  const { category, regions, status, event_start, event_end, source_mappings, market_ids } = event
  const address = urlOf(`/events/${event.event_id}`, api.as_of === null ? {} : { as_of: api.as_of })
  return [
    ['Category', category],
    ['Regions', regions.length === 0 ? null : regions.join(', ')],
    ['Status', status],
    ['Began', event_start === null ? null : `${showMinute(event_start)} UTC`],
    ['Ended', event_end === null ? null : `${showMinute(event_end)} UTC`],
    ['Updated', `${showMinute(event.updated_at)} UTC`],
    [
      'Listed by',
      source_mappings.length === 0
        ? null
        : html`${source_mappings.map(({ venue_id, source_event_id, source_url }) => html`<span key=${`${venue_id}${source_event_id}`}>${source_url === null ? venue_id : html`<a href=${source_url} target="_blank" rel="noopener noreferrer">${venue_id}</a>`} <code class="hash">${source_event_id ?? ''}</code> </span>`)}`,
    ],
    [
      'Markets',
      market_ids.length === 0
        ? null
        : html`${market_ids.slice(0, MARKETS_MAX).map((market_id) => html`<span key=${market_id}><${MarketLink} market_id=${market_id} title=${market_id} /> </span>`)}${market_ids.length > MARKETS_MAX && `and ${market_ids.length - MARKETS_MAX} more`}`,
    ],
    ['Record', html`<a href=${address} target="_blank" rel="noopener"><code class="hash">${event.event_id}</code></a>`],
  ]
}

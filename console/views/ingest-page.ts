import type { IngestOverview, VenueIngest } from '../../protocol/operator/ingest.ts'
import type { Api } from '../data/api-client.ts'
import { type Loaded, useLoaded, useNow } from '../data/hooks.ts'
import { readIngest } from '../data/ingest.ts'
import { millisOf, showAge, showInstant, showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'
import { BackfillTable } from '../parts/backfill-table.ts'
import { IngestBadge } from '../parts/ingest-badge.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { PauseList } from '../parts/pause-list.ts'

/** Polling interval while the page shows the present, in milliseconds. */
const AGAIN_MS = 5000

/** State of the venues' feeds and the backfills, now or as of an instant. */
export default function IngestPage({ api }: { api: Api }) {
  const now = useNow(AGAIN_MS)
  const again = api.as_of === null ? now : 0
  const read = useLoaded(`ingest ${api.as_of}`, (signal) => readIngest(api.as_of, signal), again)
  return html`<h1>Ingest</h1>
    ${contentOf(read)}`
}

function contentOf(read: Loaded<IngestOverview | null>) {
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Ingest" />`
  if (read.state === 'loading') return html`<${Loading} what="ingest" />`
  if (read.data === null) return html`<${Empty}>Available only at the admin address of the service<//>`
  const { pauses, backfills } = read.data
  return html`<${PauseList} pauses=${pauses} /><${Venues} overview=${read.data} />
    <${BackfillTable} backfills=${backfills} />`
}

function Venues({ overview }: { overview: IngestOverview }) {
  const { venues, as_of } = overview
  if (venues.length === 0) {
    const text = as_of === null ? 'No venue data yet' : 'No venue data at this time'
    return html`<${Empty}>${text}<//>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Venues">
    <table class="ingest">
      <thead>
        <tr>
          <th scope="col">Venue</th>
          <th scope="col">State</th>
          <th scope="col">Last success, UTC</th>
          <th scope="col" class="number">Lag</th>
          <th scope="col">Newest record, UTC</th>
          <th scope="col" class="number">Gaps</th>
          <th scope="col" class="number">Quarantined</th>
          <th scope="col" class="number">Records</th>
          <th scope="col" class="number">Sessions</th>
        </tr>
      </thead>
      <tbody>
        ${venues.map((venue) => html`<${VenueRow} key=${venue.venue_id} venue=${venue} now=${millisOf(overview.now)} />`)}
      </tbody>
    </table>
  </div>`
}

function VenueRow({ venue, now }: { venue: VenueIngest; now: number }) {
  const { venue_id, state, last_success_at, last_source_at, problem, observed_at } = venue
  return html`<tr>
    <th scope="row">${venue_id}</th>
    <td>
      <${IngestBadge} state=${state} />
      ${problem !== null && html`<p class="problem small">${problem}</p>`}
      ${state === 'silent' && html`<p class="problem small">last update ${showMinute(observed_at)}</p>`}
    </td>
    <td class="instant">${instantOrNone(last_success_at)}</td>
    <td class="number">${last_success_at === null ? none() : showAge(now - millisOf(last_success_at))}</td>
    <td class="instant">${instantOrNone(last_source_at)}</td>
    <td class="number">${grouped(venue.gaps)}</td>
    <td class="number">${grouped(venue.quarantined)}</td>
    <td class="number">${grouped(venue.records_new)}</td>
    <td class="number">${grouped(venue.sessions)}</td>
  </tr>`
}

function instantOrNone(instant: string | null) {
  return instant === null ? none() : showInstant(instant.replace(/\.\d+Z$/, 'Z'))
}

function none() {
  return html`<span class="none">none</span>`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

import type { Event } from '../../../protocol/resources/event.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Choice } from '../../parts/choice.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { Level } from '../parts/grade.ts'
import { HAZARD_FEEDS, listEvents } from '../reads.ts'
import { useSeverity } from '../use-severity.ts'

const FEEDS = [...HAZARD_FEEDS, ['all', 'All']] as const
/** Most events shown; each needs a read of its own. */
const SHOWN_MAX = 25
/** Polling interval: the stream does not announce changed events. */
const AGAIN_MS = 60_000
const COLUMNS: readonly Column[] = [
  ['Event', 'head'],
  ['Observed severity', 'text'],
  ['Began, UTC', 'instant'],
  ['Regions', 'text'],
  ['Status'],
]

/** Recently changed events with their observed severity. */
export function EventList({ api }: { api: Api }) {
  const feed = useCell(route).range ?? FEEDS[0][0]
  const now = useNow(AGAIN_MS)
  const read = useLoaded(
    `events ${feed} ${api.as_of}`,
    (signal) => listEvents(api, feed === 'all' ? null : feed, SHOWN_MAX, signal),
    api.as_of === null ? now : null,
  )
  const beside = html`<${Choice} legend="Feed" name="feed" value=${feed} options=${FEEDS} onChoose=${(range: string) => go({ range })} />`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Events" />`
  if (read.state === 'loading') return html`<div class="section-head">${beside}</div><${Loading} what="events" />`
  const rows = read.data.map((event) => ({
    key: event.event_id,
    cells: [
      html`<${EventName} event=${event} />`,
      html`<${ObservedLevel} api=${api} event_id=${event.event_id} />`,
      event.event_start === null ? none() : showMinute(event.event_start),
      event.regions.length === 0 ? none() : event.regions.join(', '),
      event.status ?? none(),
    ],
  }))
  return html`<${RecordTable} id="events" title="Recent events" columns=${COLUMNS} rows=${rows} empty="No events" beside=${beside} />`
}

function EventName({ event: { event_id, title, category } }: { event: Event }) {
  const shown = useCell(route)
  return html`<span class="outcome"><a href=${linkTo(shown, { view: 'events', event_id })}>${title}</a> ${category !== null && html`<span class="quiet">${category}</span>`}</span>`
}

function ObservedLevel({ api, event_id }: { api: Api; event_id: string }) {
  const { read } = useSeverity(api, event_id, 'observed')
  if (read.state === 'failed') return html`<span class="none">not available</span>`
  if (read.state === 'loading') return html`<span class="quiet">…</span>`
  return html`<${Level} level=${read.data.level} short />`
}

function none() {
  return html`<span class="none">none</span>`
}

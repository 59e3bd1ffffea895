import type { CalendarEntry } from '../../../protocol/resources/notice.ts'
import { CALENDAR_KINDS } from '../../../vocabulary/notices.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { calendarRows } from '../model/calendar-rows.ts'
import { showRemaining } from '../model/deadline.ts'
import { minuteOf, spoken } from '../model/words.ts'
import { Select } from '../parts/select.ts'
import { listCalendar } from '../reads.ts'
import { useServiceClock } from '../use-service-clock.ts'

const COLUMNS = [['When, UTC', 'head'], ['Kind'], ['What', 'text'], ['About', 'text']] as const
const KINDS = CALENDAR_KINDS.map((kind) => [kind, spoken(kind)] as const)

/** Calendar of the next 90 days, by kind. */
export function CalendarView({ api }: { api: Api }) {
  const { kind } = useCell(route)
  const read = useLoaded(`calendar ${api.as_of}`, (signal) => listCalendar(api, signal))
  const clock = useServiceClock(api)
  const beside = html`<a href="/v1/governance/calendar.ics">Calendar file</a>
    <${Select} id="kind" label="Kind" value=${kind} options=${KINDS} onChoose=${(next: string | null) => go({ kind: next })} />`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Calendar" />`
  if (read.state === 'loading') return html`<${Loading} what="calendar" />`
  const kept = read.data.filter((one) => kind === null || one.kind === kind)
  const rows = calendarRows(kept).map(({ entry: one, count, last_at }) => ({
    key: one.entry_id,
    cells: [
      html`<span>${minuteOf(one.at)} <span class="quiet age">${showRemaining(one.at, clock.now_ms)}</span></span>`,
      spoken(one.kind),
      html`${one.title}${count > 1 && html` <span class="quiet">and ${count - 1} more, until ${minuteOf(last_at)}</span>`}`,
      html`<${Subject} entry=${one} />`,
    ],
  }))
  const empty = read.data.length === 0 ? 'Nothing is due in the next 90 days' : 'Nothing of this kind is due'
  return html`<${RecordTable} id="calendar" title="Next 90 days" columns=${COLUMNS} rows=${rows} empty=${empty} beside=${beside} />`
}

function Subject({ entry: { subject_id, index_id, market_id } }: { entry: CalendarEntry }) {
  const shown = useCell(route)
  if (subject_id.startsWith('prp_'))
    return html`<a href=${linkTo(shown, { view: 'governance', proposal_id: subject_id })}><code class="hash">${subject_id}</code></a>`
  if (index_id !== null) return html`<a href=${linkTo(shown, { index_id })}>${index_id}</a>`
  if (market_id !== null) return html`<a href=${linkTo(shown, { market_id })}>${market_id}</a>`
  return html`<code class="hash">${subject_id}</code>`
}

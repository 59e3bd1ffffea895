import type { Complaint } from '../../../protocol/resources/notice.ts'
import { COMPLAINT_STATES } from '../../../vocabulary/notices.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { minuteOf, shortId, spoken } from '../model/words.ts'
import { ComplaintBadge } from '../parts/complaint-badge.ts'
import { Select } from '../parts/select.ts'
import { SubjectLink } from '../parts/subject-link.ts'
import { listComplaints } from '../reads.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000
/** Longest beginning of a text in the list; the complaint has all. */
const TEXT_MAX = 160
const COLUMNS: readonly Column[] = [
  ['Complaint', 'head'],
  ['State', 'text'],
  ['About', 'text'],
  ['Filed, UTC', 'instant'],
  ['Handled by'],
]
/** A complaint that nobody has read is not public. */
const STATES = COMPLAINT_STATES.filter((state) => state !== 'received').map((state) => [state, spoken(state)] as const)

/** Public complaints, newest first, by state. */
export function ComplaintList({ api }: { api: Api }) {
  const { state } = useCell(route)
  const now = useNow(AGAIN_MS)
  const load = (signal: AbortSignal) => listComplaints(api, state, signal)
  const read = useLoaded(`complaints ${state} ${api.as_of}`, load, api.as_of === null ? now : null)
  const beside = html`<${Select} id="state" label="State" value=${state} options=${STATES} onChoose=${(next: string | null) => go({ state: next })} />`
  const above = html`<p class="quiet">Anybody may <a href="/docs#file_complaint">file a complaint</a>. It is public once a member has read it.</p>`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Complaints" />`
  if (read.state === 'loading') return html`<div class="section-head">${beside}</div><${Loading} what="complaints" />`
  const rows = read.data.toReversed().map((one) => ({ key: one.complaint_id, cells: cellsOf(one) }))
  const empty = state === null ? 'No public complaints' : 'No complaint in this state'
  return html`<${RecordTable} id="complaints" title="Complaints" columns=${COLUMNS} rows=${rows} empty=${empty} beside=${beside} above=${above} />`
}

function cellsOf(complaint: Complaint) {
  const { filed_at, handler } = complaint
  return [
    html`<${ComplaintName} complaint=${complaint} />`,
    html`<${ComplaintBadge} complaint=${complaint} />`,
    html`<${SubjectLink} complaint=${complaint} />`,
    minuteOf(filed_at),
    handler ?? html`<span class="none">nobody yet</span>`,
  ]
}

function ComplaintName({ complaint: { complaint_id, text } }: { complaint: Complaint }) {
  const to = linkTo(useCell(route), { view: 'complaints', complaint_id })
  const begin = text === null ? 'text not published' : text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
  return html`<span class="outcome"><a href=${to}><code title=${complaint_id}>${shortId(complaint_id)}</code></a><span class="quiet age">${begin}</span></span>`
}

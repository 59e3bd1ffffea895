import { RATING_BANDS } from '../../../vocabulary/rating.ts'
import { REVIEW_STATES } from '../../../vocabulary/review.ts'
import { SEVERITY_LEVELS } from '../../../vocabulary/severity.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { spoken } from '../words.ts'
import { AssessmentNav } from './assessment-nav.ts'
import { ListFilters } from './list-filters.ts'
import { type Assessed, found, WAITS_FOR } from './model.ts'
import { LIST_MAX, type ListView, listAssessed } from './reads.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000
const ROWS_MAX = 300

const TITLES = { ratings: 'Market ratings', severity: 'Severity assessments', review: 'Review queue' } as const
const GRADES = { ratings: RATING_BANDS, severity: SEVERITY_LEVELS, review: null } as const

/** Ratings and severity assessments of every subject, and those that wait for an act of a person. */
export default function AssessmentLists({ api, view }: { api: Api; view: ListView }) {
  const { q, band, state } = useCell(route)
  const now = useNow(AGAIN_MS)
  const read = useLoaded(
    `${view} ${band} ${state} ${api.as_of}`,
    (signal) => listAssessed(api, { view, grade: band, state }, signal),
    api.as_of === null ? now : null,
  )
  return html`<h1>${TITLES[view]}</h1><${AssessmentNav} />
    <${ListFilters} grades=${GRADES[view]} states=${view === 'review' ? null : REVIEW_STATES} q=${q} grade=${band} state=${state} />
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what=${TITLES[view]} />`}
    ${read.state === 'loading' && html`<${Loading} what=${TITLES[view].toLowerCase()} />`}
    ${read.state === 'ready' && html`<${Table} view=${view} read=${read.data} q=${q} is_filtered=${q !== null || band !== null || state !== null} />`}`
}

const COLUMNS: readonly Column[] = [
  ['Subject', 'head'],
  ['Grade', 'text'],
  ['Score', 'number'],
  ['Issuer', 'text'],
  ['State', 'text'],
  ['Effective, UTC', 'instant'],
  ['Published, UTC', 'instant'],
]

type TableProps = { view: ListView; read: readonly Assessed[]; q: string | null; is_filtered: boolean }

function Table({ view, read, q, is_filtered }: TableProps) {
  const records = found(read, q)
  const shown = records.slice(0, ROWS_MAX)
  const empty = is_filtered ? 'Nothing matches this filter' : view === 'review' ? 'Nothing waits' : 'No assessments'
  const cut = read.length >= LIST_MAX ? ` The list ends after ${LIST_MAX} records; choose a grade or a state.` : ''
  const above = html`<p class="quiet" role="status">${countText(records.length, shown.length)}${cut}</p>`
  const rows = shown.map((one) => ({ key: `${one.kind} ${one.id}`, cells: cellsOf(one) }))
  if (rows.length === 0) return html`<${Empty}>${empty}<//>`
  return html`<${RecordTable} id="assessments" title="Newest first" columns=${COLUMNS} rows=${rows} empty=${empty} above=${above} />`
}

function countText(all: number, shown: number): string {
  const records = `${all} ${all === 1 ? 'record' : 'records'}`
  return shown < all ? `${records}; the newest ${shown} are shown.` : `${records}.`
}

function cellsOf(one: Assessed) {
  const waits = WAITS_FOR[one.review_state]
  return [
    html`<${SubjectLink} one=${one} />`,
    html`<b>${one.grade}</b>${one.type !== null && html` <span class="quiet">${one.type}</span>`}`,
    one.score ?? html`<span class="none">not known</span>`,
    one.issuer,
    html`${spoken(one.review_state)}${waits !== undefined && html`<small class="quiet"> waits for ${waits}</small>`}`,
    showMinute(one.effective_from),
    showMinute(one.published_at),
  ]
}

function SubjectLink({ one: { kind, subject_id, title, id } }: { one: Assessed }) {
  const shown = useCell(route)
  const to = linkTo(shown, kind === 'rating' ? { market_id: subject_id } : { view: 'events', event_id: subject_id })
  return html`<span class="outcome"><a href=${to}>${title ?? subject_id}</a> <code class="hash">${id}</code></span>`
}

import type { KnowledgeChange } from '../../protocol/resources/knowledge-change.ts'
import { getAll } from '../data/api-client.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { liveApi } from '../data/live.ts'
import { linkTo, type Route, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { InstantForm } from './instant-form.ts'
import { changedFields } from './model.ts'

/** Changes on the page; the API has all. */
const CHANGES_MAX = 200
/** Greatest page of the API (protocol/limits.ts, which is not part of the page). */
const PAGE_MAX = 100
const COLUMNS: readonly Column[] = [
  ['Record', 'head'],
  ['Change'],
  ['Field', 'text'],
  ['Known before', 'text'],
  ['Known after', 'text'],
]

/** Difference of what was known of an index at two instants: records added, revised and removed, old beside new. */
export default function KnowledgePage({ index_id }: { index_id: string }) {
  const shown = useCell(route)
  const compared = instantsOf(shown)
  const read = useLoaded(compared === null ? null : `knowledge ${index_id} ${compared.from} ${compared.to}`, (signal) =>
    readChanges(index_id, compared!, signal),
  )
  return html`<p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / <a href=${linkTo(shown, { index_id })}>${index_id}</a> / knowledge</p>
    <h1>What became known</h1>
    <${InstantForm} key=${`${shown.from} ${shown.to}`} from=${shown.from} to=${shown.to ?? shown.as_of} />
    ${compared === null && html`<${Empty}>Choose two instants to compare what was known of this index<//>`}
    ${compared !== null && read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Changes" />`}
    ${compared !== null && read.state === 'loading' && html`<${Loading} what="changes" />`}
    ${read.state === 'ready' && html`<${Changes} changes=${read.data} />`}`
}

type Instants = { readonly from: string; readonly to: string }

function instantsOf({ from, to, as_of }: Route): Instants | null {
  const end = to ?? as_of
  return from === null || end === null ? null : { from, to: end }
}

/** The diff has instants of its own: as_of would be another one. */
function readChanges(index_id: string, { from, to }: Instants, signal: AbortSignal) {
  const query = { from_as_of: from, to_as_of: to, limit: PAGE_MAX }
  const path = `/indexes/${index_id}/knowledge-diff`
  return getAll<KnowledgeChange>(liveApi(null), path, query, signal, CHANGES_MAX + 1)
}

function Changes({ changes }: { changes: readonly KnowledgeChange[] }) {
  const shown = changes.slice(0, CHANGES_MAX)
  const rows = shown.flatMap((change) => rowsOf(change))
  const above =
    changes.length > shown.length &&
    html`<p class="quiet">The first changes; a shorter range, or the API, has the others.</p>`
  return html`<${RecordTable} id="changes" title=${`${shown.length} records`} columns=${COLUMNS} rows=${rows} empty="Nothing else was known at the second instant" above=${above} />`
}

/** One row a field; the record stands in the first. */
function rowsOf(change: KnowledgeChange) {
  const { subject, subject_id, change: kind } = change
  const none = html`<span class="none">none</span>`
  return changedFields(change).map(({ name, before, after }, at) => ({
    key: `${subject} ${subject_id} ${name}`,
    cells: [
      html`<span class=${at === 0 ? '' : 'repeated'}>${subject.replaceAll('_', ' ')} <code class="hash">${subject === 'level' ? showInstant(subject_id) : subject_id}</code></span>`,
      kind,
      name.replaceAll('_', ' '),
      before === null ? none : html`<del>${before}</del>`,
      after === null ? none : html`<ins>${after}</ins>`,
    ],
  }))
}

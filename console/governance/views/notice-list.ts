import type { Notice } from '../../../protocol/resources/notice.ts'
import { NOTICE_KINDS } from '../../../vocabulary/notices.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { minuteOf, spoken } from '../model/words.ts'
import { Hash } from '../parts/hash.ts'
import { Select } from '../parts/select.ts'
import { getNotice, listNotices } from '../reads.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000
const COLUMNS = [
  ['Notice', 'head'],
  ['Kind'],
  ['Published, UTC', 'instant'],
  ['Effective, UTC', 'instant'],
  ['Proof', 'text'],
] as const
const KINDS = NOTICE_KINDS.map((kind) => [kind, spoken(kind)] as const)

/** Notices, newest first, by kind; each never changes. */
export function NoticeList({ api }: { api: Api }) {
  const shown = useCell(route)
  const { kind, notice_id } = shown
  const now = useNow(AGAIN_MS)
  const load = async (signal: AbortSignal) =>
    notice_id === null ? listNotices(api, kind, signal) : [await getNotice(api, notice_id, signal)]
  const read = useLoaded(`notices ${kind} ${notice_id} ${api.as_of}`, load, api.as_of === null ? now : null)
  const beside =
    notice_id !== null
      ? html`<a href=${linkTo(shown, { view: 'notices' })}>All notices</a>`
      : html`<a href="/v1/governance/notices.atom">Atom feed</a>
    <${Select} id="kind" label="Kind" value=${kind} options=${KINDS} onChoose=${(next: string | null) => go({ kind: next })} />`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Notices" />`
  if (read.state === 'loading') return html`<div class="section-head">${beside}</div><${Loading} what="notices" />`
  const rows = read.data.toReversed().map((one) => ({ key: one.notice_id, cells: cellsOf(one) }))
  const empty = kind === null ? 'No notices' : 'No notice of this kind'
  return html`<${RecordTable} id="notices" title=${notice_id === null ? 'Notices' : 'Notice'} columns=${COLUMNS} rows=${rows} empty=${empty} beside=${beside} />`
}

function cellsOf(notice: Notice) {
  const { notice_id, kind, published_at, effective_at } = notice
  return [
    html`<${NoticeText} notice=${notice} />`,
    spoken(kind),
    showInstant(published_at),
    effective_at === null ? html`<span class="none">none</span>` : minuteOf(effective_at),
    html`<${InclusionCheck} path=${`/governance/notices/${notice_id}/proof`} record=${notice} subject="this notice" />`,
  ]
}

function NoticeText({ notice }: { notice: Notice }) {
  const { title, text, cause, changes, index_id, market_id, proposal_id, actor_id, corrects_notice_id, draft } = notice
  const shown = useCell(route)
  const complaint_id = notice.subject_id?.startsWith('cmp_') ? notice.subject_id : null
  return html`<span class="notice"><a href=${linkTo(shown, { view: 'notices', notice_id: notice.notice_id })}><b>${title}</b></a> <span>${text}</span>
    ${cause !== null && html` <span class="codes">${cause}</span>`}
    ${changes.length > 0 && html`<ul class="keys">${changes.map((one, at) => html`<li key=${at}>${one.field}${one.at !== null && ` at ${minuteOf(one.at)}`}: <del>${one.old_value ?? 'none'}</del> <ins>${one.new_value ?? 'none'}</ins></li>`)}</ul>`}
    ${draft !== null && html`<details><summary>Draft, unsigned</summary><pre class="signed">${draft}</pre><span class="quiet">SHA-256 <${Hash} text=${notice.draft_sha256} /></span></details>`}
    <span class="quiet">
      ${index_id !== null && html`<a href=${linkTo(shown, { index_id })}>${index_id}</a> `}
      ${market_id !== null && html`<a href=${linkTo(shown, { market_id })}>${market_id}</a> `}
      ${proposal_id !== null && html`<a href=${linkTo(shown, { view: 'governance', proposal_id })}>proposal</a> `}
      ${proposal_id !== null && notice.kind === 'correction' && html`<a href=${linkTo(shown, { view: 'restatements', proposal_id })}>restatement</a> `}
      ${complaint_id !== null && html`<a href=${linkTo(shown, { view: 'complaints', complaint_id })}>complaint</a> `}
      ${corrects_notice_id !== null && html`corrects <a href=${linkTo(shown, { view: 'notices', notice_id: corrects_notice_id })}><code class="hash">${corrects_notice_id}</code></a> `}
      ${actor_id === null ? 'by the service' : `signed by ${actor_id}`}
    </span>
  </span>`
}

import type { ComplaintWithHistory, Notice } from '../../../protocol/resources/notice.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { spoken } from '../model/words.ts'
import { ComplaintBadge } from '../parts/complaint-badge.ts'
import { Hash } from '../parts/hash.ts'
import { SignatureMark } from '../parts/signature-mark.ts'
import { SubjectLink } from '../parts/subject-link.ts'
import { getComplaint, listNotices } from '../reads.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000

type Whole = { readonly complaint: ComplaintWithHistory; readonly notice: Notice | null }

/** One complaint: its text, what it is about, who decided what, and every signed act on it. */
export function ComplaintPage({ api, complaint_id }: { api: Api; complaint_id: string }) {
  const shown = useCell(route)
  const now = useNow(AGAIN_MS)
  const read = useLoaded(
    `complaint ${complaint_id} ${api.as_of}`,
    (signal) => loadWhole(api, complaint_id, signal),
    api.as_of === null ? now : null,
  )
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'complaints' })}>Complaints</a> / complaint</p>
    <h1>Complaint</h1>`
  if (read.state === 'failed') return html`${place}<${ErrorNote} error=${read.error} what="Complaint" />`
  if (read.state === 'loading') return html`${place}<${Loading} what="complaint" />`
  const { complaint, notice } = read.data
  const { revision, text, is_redacted } = complaint
  return html`${place}
    <p class="beside"><${ComplaintBadge} complaint=${complaint} /></p>
    ${text === null ? html`<${Empty}>Its text is not published<//>` : html`<p class="as-written">${text}</p>`}
    ${is_redacted && html`<p class="quiet">The published text differs from the one that was filed.</p>`}
    <${Facts} facts=${factsOf(api, complaint, notice)} />
    <${InclusionCheck} path=${`/governance/complaints/${complaint_id}/proof`} query=${{ revision }} record=${complaint} subject="this state of the complaint" />
    <${Acts} complaint=${complaint} />`
}

/** The notice of an outcome names the complaint; it is read once there is an outcome. */
async function loadWhole(api: Api, complaint_id: string, signal: AbortSignal): Promise<Whole> {
  const complaint = await getComplaint(api, complaint_id, signal)
  if (complaint.outcome === null) return { complaint, notice: null }
  const notices = await listNotices(api, 'complaint_outcome', signal)
  return { complaint, notice: notices.find(({ subject_id }) => subject_id === complaint_id) ?? null }
}

function factsOf({ as_of }: Api, complaint: ComplaintWithHistory, notice: Notice | null): readonly Fact[] {
  const { complaint_id, filed_at, handler, outcome, reason, proposal_id, text_sha256 } = complaint
  const address = urlOf(`/governance/complaints/${complaint_id}`, as_of === null ? {} : { as_of })
  return [
    ['About', html`<${SubjectLink} complaint=${complaint} />`],
    ['Filed', `${showInstant(filed_at)} UTC`],
    ['Handled by', handler],
    ['Outcome', outcome === null ? null : spoken(outcome)],
    ['Reason', reason],
    ['Proposal that it led to', proposal_id === null ? null : html`<${ProposalLink} proposal_id=${proposal_id} />`],
    ['Notice of it', notice === null ? null : html`<${NoticeLink} notice=${notice} />`],
    ['Hash of the filed text', html`<${Hash} text=${text_sha256} />`],
    ['Record', html`<a href=${address} target="_blank" rel="noopener"><code class="hash">${complaint_id}</code></a>`],
  ]
}

function ProposalLink({ proposal_id }: { proposal_id: string }) {
  const to = linkTo(useCell(route), { view: 'governance', proposal_id })
  return html`<a href=${to}><code class="hash">${proposal_id}</code></a>`
}

function NoticeLink({ notice: { notice_id, title } }: { notice: Notice }) {
  return html`<a href=${linkTo(useCell(route), { view: 'notices', notice_id })}>${title}</a>`
}

const COLUMNS = [
  ['Recorded, UTC', 'head'],
  ['Act'],
  ['By'],
  ['State after'],
  ['Reason', 'text'],
  ['Signature', 'text'],
] as const

function Acts({ complaint: { history } }: { complaint: ComplaintWithHistory }) {
  const rows = history.map((one) => ({
    key: String(one.revision),
    cells: [
      showInstant(one.published_at),
      spoken(one.act),
      one.actor_id ?? html`<span class="quiet">the service</span>`,
      html`<${ComplaintBadge} complaint=${one} />`,
      one.reason ?? html`<span class="none">none</span>`,
      html`<${SignatureMark} act=${one} />
        ${one.signed_text !== null && html`<details><summary>Signed text</summary><pre class="signed">${one.signed_text}</pre></details>`}`,
    ],
  }))
  return html`<${RecordTable} id="acts" title="Acts on it" columns=${COLUMNS} rows=${rows} empty="No acts" />`
}

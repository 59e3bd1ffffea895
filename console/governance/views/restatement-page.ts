import type { Notice, Restatement } from '../../../protocol/resources/notice.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { restatedRows } from '../model/restated-rows.ts'
import { spoken } from '../model/words.ts'
import { IndexLinks } from '../parts/index-links.ts'
import { getRestatement, listNotices } from '../reads.ts'

const COLUMNS: readonly Column[] = [
  ['Tick, UTC', 'head'],
  ['Old level', 'number'],
  ['New level', 'number'],
  ['Moved by', 'number'],
  ['Quality', 'text'],
  ['Level', 'text'],
]

type Whole = { readonly restatement: Restatement; readonly notices: readonly Notice[] }

/** One late restatement: why, who approved it, each tick with its old and new level, and its proof. */
export function RestatementPage({ api, proposal_id }: { api: Api; proposal_id: string }) {
  const shown = useCell(route)
  const load = async (signal: AbortSignal): Promise<Whole> => {
    const [restatement, corrections] = await Promise.all([
      getRestatement(api, proposal_id, signal),
      listNotices(api, 'correction', signal),
    ])
    return { restatement, notices: corrections.filter((one) => one.proposal_id === proposal_id) }
  }
  const read = useLoaded(`restatement ${proposal_id} ${api.as_of}`, load)
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'restatements' })}>Restatements</a> / restatement</p>
    <h1>Late restatement</h1>`
  if (read.state === 'failed') return html`${place}<${ErrorNote} error=${read.error} what="Restatement" />`
  if (read.state === 'loading') return html`${place}<${Loading} what="restatement" />`
  const { restatement } = read.data
  const none = html`<span class="none">none</span>`
  const rows = restatedRows(restatement.changes).map(({ key, observation_id, ...row }) => ({
    key,
    cells: [
      ...[row.at, html`<del>${row.old_level ?? none}</del>`, html`<ins>${row.new_level ?? none}</ins>`],
      ...[row.basis_points, row.quality_state],
      html`<a href=${linkTo(shown, { index_id: restatement.index_id, observation_id })}>inputs<span class="sr"> at ${row.at}</span></a>`,
    ],
  }))
  return html`${place}
    <${Facts} facts=${factsOf(api, read.data)} />
    <${InclusionCheck} path=${`/governance/restatements/${proposal_id}/proof`} record=${restatement} subject="this restatement" />
    <${RecordTable} id="restated" title="Restated levels" columns=${COLUMNS} rows=${rows} empty="No level was restated" />`
}

function factsOf({ as_of }: Api, { restatement, notices }: Whole): readonly Fact[] {
  const { proposal_id, index_id, correction_reason, change_class, starts_at, ends_at, known_at } = restatement
  const address = urlOf(`/governance/restatements/${proposal_id}`, as_of === null ? {} : { as_of })
  const [notice] = notices
  return [
    ['Index', html`<${IndexLinks} index_ids=${[index_id]} />`],
    ['Cause', html`<code>${correction_reason}</code>`],
    ['Class', spoken(change_class)],
    ['Ticks', `from ${showInstant(starts_at)} to before ${showInstant(ends_at)} UTC`],
    ['Recomputed from what was known', `${showInstant(known_at)} UTC`],
    ['Published', `${showInstant(restatement.published_at)} UTC`],
    ['Approved by', html`<${ProposalLink} proposal_id=${proposal_id} />`],
    ['Notice of it', notice === undefined ? null : html`<${NoticeLink} notice=${notice} />`],
    ['Record', html`<a href=${address} target="_blank" rel="noopener">as JSON</a>`],
  ]
}

function ProposalLink({ proposal_id }: { proposal_id: string }) {
  const to = linkTo(useCell(route), { view: 'governance', proposal_id })
  return html`<a href=${to}><code class="hash">${proposal_id}</code></a>`
}

function NoticeLink({ notice: { notice_id, title } }: { notice: Notice }) {
  return html`<a href=${linkTo(useCell(route), { view: 'notices', notice_id })}>${title}</a>`
}

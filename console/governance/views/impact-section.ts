import type { Impact, ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import { IMPACT_KINDS } from '../../../vocabulary/governance.ts'
import type { Api } from '../../data/api-client.ts'
import { useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { sha256Hex } from '../../log/bytes.ts'
import { Facts } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { impactRows } from '../model/impact-rows.ts'
import { Hash } from '../parts/hash.ts'
import { getImpact } from '../reads.ts'

/** Impact of a change, as runners have signed it. */
export function ImpactSection({ api, proposal }: { api: Api; proposal: ProposalWithHistory }) {
  const { proposal_id, kind } = proposal
  const has_impact = IMPACT_KINDS.some((one) => one === kind)
  const load = async (signal: AbortSignal) => getImpact(api, await changeIdOf(proposal), signal)
  const read = useLoaded<Impact | null>(has_impact ? `impact ${proposal_id} ${api.as_of}` : null, load)
  return html`<section aria-labelledby="impact-title">
    <div class="section-head"><h2 id="impact-title">Impact</h2></div>
    ${!has_impact && html`<${Empty}>No impact report: a change of this kind has none<//>`}
    ${has_impact && read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Impact" />`}
    ${has_impact && read.state === 'loading' && html`<${Loading} what="impact" />`}
    ${read.state === 'ready' && read.data === null && html`<${Empty}>No impact report<//>`}
    ${read.state === 'ready' && read.data !== null && html`<${Reports} impact=${read.data} />`}
  </section>`
}

/** The id is the hash of base and content, by which runners sign before a change is proposed. */
async function changeIdOf({ base_hash, content }: ProposalWithHistory): Promise<string> {
  const content_hash = await sha256Hex(content)
  return `chg_${await sha256Hex(JSON.stringify({ base_hash, content_hash }))}`
}

const AGREEMENTS: Readonly<Record<Impact['agreement'], string>> = {
  agreed: 'The runners agree: they signed one report.',
  one_runner: 'One runner has signed; another is needed.',
  disputed: 'The runners disagree: they signed different reports.',
}

function Reports({ impact: { agreement, attestations, reports } }: { impact: Impact }) {
  return html`<p class=${agreement === 'disputed' ? 'problem' : ''}><b>${AGREEMENTS[agreement]}</b></p>
    <ul class="keys">
      ${attestations.map(({ act_id, runner, engine, acted_at, impact_digest, is_latest }) => html`<li key=${act_id}>${runner} with the engine ${engine}, ${showInstant(acted_at)} UTC: <${Hash} text=${impact_digest} />${!is_latest && html` <span class="tag">replaced</span>`}</li>`)}
    </ul>
    ${reports.map(({ impact_digest, report }, at) => html`<${Report} key=${impact_digest} text=${report} id=${`report-${at}`} />`)}`
}

const CHANGES = [
  ['Change alone', 'head'],
  ['Before', 'text'],
  ['After', 'text'],
  ['Ticks moved', 'number'],
  ['Largest', 'number'],
] as const
const SIDES = [
  ['Side by side', 'head'],
  ['In force', 'text'],
  ['Proposed', 'text'],
] as const

function Report({ text, id }: { text: string; id: string }) {
  const rows = impactRows(text)
  const none = html`<span class="none">none</span>`
  return html`${
    rows === null
      ? html`<${Empty}>This page does not know the form of the report; its text is below.<//>`
      : html`<${Facts} facts=${rows.facts} />
        <${RecordTable} id=${`${id}-sides`} title="Versions side by side" columns=${SIDES} rows=${rows.sides.map((cells) => ({ key: cells[0], cells }))} empty="Nothing to compare" />
        <${RecordTable} id=${`${id}-changes`} title="Effect of each change alone" columns=${CHANGES} rows=${rows.changes.map(({ key, cells }) => ({ key, cells: cells.map((cell) => cell ?? none) }))} empty="No single changes" />`
  }
    <details><summary>Report as signed</summary><pre class="signed">${text}</pre></details>`
}

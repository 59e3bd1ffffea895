import type { EligibilityPolicy } from '../../../protocol/resources/eligibility.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Facts } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { ruleText } from '../model/eligibility-words.ts'
import { spoken } from '../model/words.ts'
import { Hash } from '../parts/hash.ts'
import { listEligibilityPolicies } from '../reads.ts'

const COLUMNS = [
  ['Fact', 'head'],
  ['Rule', 'text'],
] as const

/** Every eligibility policy with its rules, newest version first. */
export function PolicyList({ api }: { api: Api }) {
  const read = useLoaded(`policies ${api.as_of}`, (signal) => listEligibilityPolicies(api, signal))
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Eligibility policies" />`
  if (read.state === 'loading') return html`<${Loading} what="eligibility policies" />`
  return html`<p>Policies decide which markets an index may select. The page of a market shows its evaluation, the page of an index its constituents.</p>
    ${read.data.length === 0 && html`<${Empty}>No policies<//>`}
    ${read.data.toReversed().map((one) => html`<${Policy} key=${`${one.policy_id} ${one.version}`} policy=${one} />`)}`
}

function Policy({ policy }: { policy: EligibilityPolicy }) {
  const { policy_id, version, name, rules, signed_content } = policy
  const rows = rules.map((rule, at) => ({ key: String(at), cells: [spoken(rule.fact), ruleText(rule)] }))
  const above = html`<p><code>${policy_id}</code></p>
    <${Facts} facts=${[
      ['Effective from', policy.effective_from === null ? 'built in' : `${showInstant(policy.effective_from)} UTC`],
      ['Proposal', policy.proposal_id === null ? null : html`<${ProposalLink} proposal_id=${policy.proposal_id} />`],
      ['Record hash', html`<${Hash} text=${policy.record_hash} />`],
      ['Hash before', html`<${Hash} text=${policy.previous_hash} />`],
    ]} />
    <details><summary>Text as signed</summary><pre class="signed">${signed_content}</pre></details>`
  return html`<${RecordTable} id=${`${policy_id}-${version}`} title=${`${name}, version ${version}`} columns=${COLUMNS} rows=${rows} empty="No rules: every market is eligible" above=${above} />`
}

function ProposalLink({ proposal_id }: { proposal_id: string }) {
  const to = linkTo(useCell(route), { view: 'governance', proposal_id })
  return html`<a href=${to}><code class="hash">${proposal_id}</code></a>`
}

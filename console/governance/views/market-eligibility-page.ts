import type { MarketEligibility } from '../../../protocol/resources/eligibility.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Facts } from '../../parts/facts.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { factText } from '../model/eligibility-words.ts'
import { spoken } from '../model/words.ts'
import { ReasonList } from '../parts/reason-list.ts'
import { Select } from '../parts/select.ts'
import { VerdictBadge } from '../parts/verdict-badge.ts'
import { getMarketEligibility, listEligibilityPolicies } from '../reads.ts'

const COLUMNS: readonly Column[] = [
  ['Fact', 'head'],
  ['Value', 'text'],
  ['Observed, UTC', 'instant'],
  ['From', 'text'],
]

/** Evaluation of a market by a policy: status, reasons, and the facts that were used. */
export function MarketEligibilityPage({ api, market_id }: { api: Api; market_id: string }) {
  const shown = useCell(route)
  const { policy_id } = shown
  const policies = useLoaded(`policies ${api.as_of}`, (signal) => listEligibilityPolicies(api, signal))
  const ids = policies.state === 'ready' ? [...new Set(policies.data.map((one) => one.policy_id))] : []
  const read = useLoaded(`eligibility ${market_id} ${policy_id} ${api.as_of}`, (signal) =>
    getMarketEligibility(api, { market_id, policy_id }, signal),
  )
  return html`<p class="kind"><a href=${linkTo(shown, { view: 'eligibility' })}>Eligibility</a> / market</p>
    <h1>Eligibility of a market</h1>
    <p><a href=${linkTo(shown, { market_id })}><code class="hash">${market_id}</code></a></p>
    <${Select} id="policy" label="Policy" value=${policy_id} none="terms of the source" options=${ids.map((id) => [id, id] as const)}
      onChoose=${(next: string | null) => go({ policy_id: next })} />
    ${policies.state === 'failed' && html`<${ErrorNote} error=${policies.error} what="Policies" />`}
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Eligibility" />`}
    ${read.state === 'loading' && html`<${Loading} what="eligibility" />`}
    ${read.state === 'ready' && html`<${Decision} api=${api} decision=${read.data} />`}`
}

function Decision({ api: { as_of }, decision }: { api: Api; decision: MarketEligibility }) {
  const { market_id, policy_id, policy_version, status, reason_codes, facts, facts_as_of, published_at } = decision
  const address = urlOf(`/eligibility/markets/${market_id}`, { policy_id, ...(as_of === null ? {} : { as_of }) })
  const rows = facts.map((one) => ({ key: one.fact, cells: factCells(one) }))
  const above = html`<p class="beside"><${VerdictBadge} status=${status} /></p>
    <${Facts} facts=${[
      ['Policy', html`<code>${policy_id}</code> version ${policy_version}`],
      ['Reasons', html`<${ReasonList} codes=${reason_codes} />`],
      ['Facts known at', facts_as_of === null ? 'nothing was evaluated' : `${showInstant(facts_as_of)} UTC`],
      ['Published', published_at === null ? null : `${showInstant(published_at)} UTC`],
      ['Record', html`<a href=${address} target="_blank" rel="noopener">${decision.decision_id ?? 'answer'}</a>`],
    ]} />`
  return html`<${RecordTable} id="decision" title="Decision" columns=${COLUMNS} rows=${rows} empty="No facts were used" above=${above} />`
}

function factCells(one: MarketEligibility['facts'][number]) {
  const none = html`<span class="none">not known</span>`
  const source = [one.source_table, one.source_id].filter((part) => part !== null).join(' ')
  return [
    spoken(one.fact),
    factText(one) ?? none,
    one.observed_at === null ? none : showInstant(one.observed_at),
    source === '' ? html`<span class="none">none</span>` : html`<code class="hash">${source}</code>`,
  ]
}

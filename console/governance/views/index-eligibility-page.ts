import type { IndexEligibility } from '../../../protocol/resources/eligibility.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Facts } from '../../parts/facts.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { shortId, spoken } from '../model/words.ts'
import { ReasonList } from '../parts/reason-list.ts'
import { VerdictBadge } from '../parts/verdict-badge.ts'
import { getIndexEligibility } from '../reads.ts'
import { ProFormaSection } from './pro-forma-section.ts'

const COLUMNS: readonly Column[] = [
  ['Constituent', 'head'],
  ['At selection'],
  ['Now', 'text'],
  ['Reasons', 'text'],
  ['Facts that changed', 'text'],
  ['Rating at selection', 'text'],
]

/** Constituents of an index: whether each is still eligible, what changed since, and the announced composition. */
export function IndexEligibilityPage({ api, index_id }: { api: Api; index_id: string }) {
  const shown = useCell(route)
  const read = useLoaded(`eligibility ${index_id} ${api.as_of}`, (signal) => getIndexEligibility(api, index_id, signal))
  return html`<p class="kind"><a href=${linkTo(shown, { view: 'eligibility' })}>Eligibility</a> / index</p>
    <h1>Eligibility of an index</h1>
    <p><a href=${linkTo(shown, { index_id })}><code class="hash">${index_id}</code></a></p>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Eligibility" />`}
    ${read.state === 'loading' && html`<${Loading} what="eligibility" />`}
    ${read.state === 'ready' && html`<${Constituents} eligibility=${read.data} />`}
    <${ProFormaSection} api=${api} index_id=${index_id} />`
}

function Constituents({ eligibility }: { eligibility: IndexEligibility }) {
  const { index_version_id, policy_id, policy_version, constituents, removals } = eligibility
  const rows = constituents.map((one) => ({ key: one.constituent_id, cells: cellsOf(one, removals) }))
  const above = html`<${Facts} facts=${[
    ['Version in force', index_version_id === null ? null : html`<code class="hash">${index_version_id}</code>`],
    ['Policy', html`<code>${policy_id}</code> version ${policy_version}`],
    ['To be removed', removals.length === 0 ? 'none' : `${removals.length} by the rule`],
  ]} />`
  return html`<${RecordTable} id="constituents" title="Constituents" columns=${COLUMNS} rows=${rows} empty="No constituents: no version is in force" above=${above} />`
}

type One = IndexEligibility['constituents'][number]

function cellsOf(one: One, removals: readonly string[]) {
  const { constituent_id, status_at_selection, status, reason_codes, changed_facts } = one
  const rating = one.rating_assessment_id_at_selection
  return [
    html`<${ConstituentName} constituent=${one} />`,
    status_at_selection,
    html`<${VerdictBadge} status=${status} />${removals.includes(constituent_id) && html` <span class="tag">to be removed</span>`}`,
    html`<${ReasonList} codes=${reason_codes} />`,
    html`<${ChangedFacts} facts=${changed_facts} />`,
    rating === null ? html`<span class="none">none</span>` : html`<code title=${rating}>${shortId(rating)}</code>`,
  ]
}

function ConstituentName({ constituent: { constituent_id, market_id } }: { constituent: One }) {
  const to = linkTo(useCell(route), { view: 'eligibility', market_id })
  return html`<span class="outcome">${constituent_id} <a class="age" href=${to} title=${market_id}>${shortId(market_id)}</a></span>`
}

function ChangedFacts({ facts }: { facts: One['changed_facts'] }) {
  if (facts.length === 0) return html`<span class="none">none</span>`
  return html`<ul class="keys">${facts.map(
    ({ fact, at_selection, now }) =>
      html`<li key=${fact}>${spoken(fact)}: <del>${at_selection ?? 'not known'}</del> <ins>${now ?? 'not known'}</ins></li>`,
  )}</ul>`
}

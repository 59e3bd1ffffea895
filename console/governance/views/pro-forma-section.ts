import type { ProForma } from '../../../protocol/resources/eligibility.ts'
import type { Api } from '../../data/api-client.ts'
import { asPercent } from '../../data/decimal-text.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Facts } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { shortId } from '../model/words.ts'
import { Hash } from '../parts/hash.ts'
import { ReasonList } from '../parts/reason-list.ts'
import { VerdictBadge } from '../parts/verdict-badge.ts'
import { getProForma } from '../reads.ts'

/** Newest announced composition of an index, and every candidate of its selection. */
export function ProFormaSection({ api, index_id }: { api: Api; index_id: string }) {
  const read = useLoaded(`pro-forma ${index_id} ${api.as_of}`, (signal) => getProForma(api, index_id, signal))
  if (read.state === 'ready' && read.data !== null) return html`<${Composition} composition=${read.data} />`
  return html`<section aria-labelledby="pro-forma-title">
    <div class="section-head"><h2 id="pro-forma-title">Announced composition</h2></div>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Announced composition" />`}
    ${read.state === 'loading' && html`<${Loading} what="announced composition" />`}
    ${read.state === 'ready' && html`<${Empty}>No composition is announced${api.as_of === null ? '' : ' at this time'}: constituents are listed, or the rule has selected none<//>`}
  </section>`
}

const SELECTED: readonly Column[] = [
  ['Constituent', 'head'],
  ['Rank', 'number'],
  ['Ranking value', 'number'],
  ['Weight', 'number'],
  ['Held before'],
  ['Reasons', 'text'],
]
const CANDIDATES: readonly Column[] = [
  ['Market', 'head'],
  ['Eligibility', 'text'],
  ['Rank', 'number'],
  ['Ranking value', 'number'],
  ['Selected'],
  ['Reasons', 'text'],
]

function Composition({ composition }: { composition: ProForma }) {
  const { constituents, candidates } = composition
  const selected = constituents.map((one) => ({
    key: one.constituent_id,
    cells: [
      html`<span class="outcome">${one.constituent_id} <${MarketOf} market_id=${one.market_id} /></span>`,
      one.rank,
      one.ranking_value,
      `${asPercent(one.target_weight)} %`,
      one.is_incumbent ? 'yes' : 'no',
      html`<${ReasonList} codes=${one.reason_codes} />`,
    ],
  }))
  return html`<${RecordTable} id="pro-forma" title="Announced composition" columns=${SELECTED} rows=${selected} empty="Nothing is selected" above=${html`<${Facts} facts=${factsOf(composition)} />`} />
    <${RecordTable} id="candidates" title="Candidates of the selection" columns=${CANDIDATES} rows=${candidates.map(candidateRow)} empty="No candidates" />`
}

function candidateRow(one: ProForma['candidates'][number]) {
  const { market_id, eligibility_status, eligibility_reason_codes, rank, ranking_value, is_selected, reason_codes } =
    one
  return {
    key: market_id,
    cells: [
      html`<${MarketOf} market_id=${market_id} />`,
      html`<${VerdictBadge} status=${eligibility_status} />`,
      rank ?? html`<span class="none">none</span>`,
      ranking_value ?? html`<span class="none">not known</span>`,
      is_selected ? 'yes' : 'no',
      html`<${ReasonList} codes=${[...reason_codes, ...eligibility_reason_codes]} />`,
    ],
  }
}

function factsOf(one: ProForma) {
  return [
    ['Version', one.version],
    ['Effective from', `${showInstant(one.effective_from)} UTC`],
    ['Selected with what was known at', `${showInstant(one.selected_as_of)} UTC`],
    ['Announced', `${showInstant(one.published_at)} UTC`],
    ['Methodology', html`<code>${one.methodology_id}</code> ${one.methodology_version}`],
    ['Policy', html`<code>${one.policy_id}</code> version ${one.policy_version}`],
    ['Record hash', html`<${Hash} text=${one.record_hash} />`],
  ] as const
}

function MarketOf({ market_id }: { market_id: string }) {
  const to = linkTo(useCell(route), { view: 'eligibility', market_id })
  return html`<a class="age" href=${to} title=${market_id}>${shortId(market_id)}</a>`
}

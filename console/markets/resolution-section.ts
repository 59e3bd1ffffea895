import type { Market } from '../../protocol/resources/market.ts'
import type { Resolution } from '../../protocol/resources/resolution.ts'
import type { Api } from '../data/api-client.ts'
import { trimZeros } from '../data/decimal-text.ts'
import { useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { outcomeLabel } from '../data/outcome-label.ts'
import { html } from '../html.ts'
import { type Fact, Facts } from '../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { getResolution, listResolutions } from './reads.ts'

const COLUMNS: readonly Column[] = [
  ['Published, UTC', 'head'],
  ['Revision', 'number'],
  ['Finality'],
  ['Winner', 'text'],
  ['Reason', 'text'],
  ['Resolved, UTC', 'instant'],
]

/** End of a market: the resolution in force, its evidence, and every statement that led to it. */
export function ResolutionSection({ api, market }: { api: Api; market: Market }) {
  const { market_id } = market
  const read = useLoaded(`resolution ${market_id} ${api.as_of} ${market.status}`, (signal) =>
    getResolution(api, market_id, signal),
  )
  const data = read.state === 'ready' ? read.data : null
  return html`<section aria-labelledby="resolution-title">
      <h2 id="resolution-title">Resolution</h2>
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Resolution" />`}
      ${read.state === 'loading' && html`<${Loading} what="resolution" />`}
      ${read.state === 'ready' && data === null && html`<${Empty}>Not resolved${market.schedule?.expected_resolution_at == null ? '' : `; expected ${showInstant(market.schedule.expected_resolution_at)} UTC`}<//>`}
      ${data !== null && html`<${Facts} facts=${factsOf(data.data, market)} />`}
    </section>
    ${data !== null && html`<${Chain} api=${api} market=${market} chain=${data.meta.correction_chain ?? []} />`}`
}

function Chain({ api, market, chain }: { api: Api; market: Market; chain: readonly string[] }) {
  const key = `resolutions ${market.market_id} ${api.as_of} ${chain.join()}`
  const read = useLoaded(key, (signal) => listResolutions(api, market.market_id, signal))
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Statements" />`
  if (read.state === 'loading') return html`<${Loading} what="statements" />`
  const rows = read.data.map((one) => ({
    key: one.resolution_id,
    cells: [
      showInstant(one.published_at),
      String(one.revision),
      one.finality.replaceAll('_', ' '),
      winnersOf(one, market),
      one.correction_reason ?? html`<span class="none">none</span>`,
      instantOrNone(one.resolved_at),
    ],
  }))
  return html`<${RecordTable} id="resolution-chain" title="Every statement about the resolution" columns=${COLUMNS} rows=${rows} empty="None" />`
}

function factsOf(one: Resolution, market: Market): readonly Fact[] {
  const { resolver, evidence } = one
  return [
    ['Winner', winnersOf(one, market)],
    [
      'Payouts',
      one.payouts.length === 0
        ? null
        : one.payouts
            .map(({ outcome_id, payout }) => `${outcomeLabel(market, outcome_id)} ${trimZeros(payout)}`)
            .join(', '),
    ],
    ['Finality', one.finality.replaceAll('_', ' ')],
    ['Resolved', instantOrNone(one.resolved_at)],
    ['Final', instantOrNone(one.final_at)],
    ['Disputes until', instantOrNone(one.dispute_window_ends_at)],
    ['Resolver', resolver === null ? null : [resolver.kind, resolver.resolver_id].filter(Boolean).join(' ')],
    [
      'Evidence',
      evidence.length === 0
        ? null
        : html`${evidence.map(({ evidence_id, kind, source_uri }) => html`<span key=${evidence_id}>${source_uri === null ? kind : html`<a href=${source_uri} target="_blank" rel="noopener noreferrer">${kind}</a>`} <code class="hash">${evidence_id}</code> </span>`)}`,
    ],
    ['Confirmed', `${showInstant(one.confirmed_at)} UTC`],
    ['Record', html`<code class="hash">${one.resolution_id}</code>`],
  ]
}

function winnersOf({ winning_outcome_ids }: Resolution, market: Market) {
  if (winning_outcome_ids.length === 0) return html`<span class="none">none</span>`
  return winning_outcome_ids.map((id) => outcomeLabel(market, id)).join(', ')
}

function instantOrNone(instant: string | null) {
  return instant === null ? html`<span class="none">none</span>` : `${showInstant(instant)} UTC`
}

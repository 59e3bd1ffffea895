import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import { MARK_RULE_TEXTS } from '../../vocabulary/mark-rule-texts.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant, showMinute } from '../data/instant-text.ts'
import { getObservation, getPrice } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Facts } from '../parts/facts.ts'
import { MarketLink } from '../parts/market-link.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { sourcesOf } from './lineage-model.ts'
import { RecordStep } from './record-step.ts'

/** A level to its end: constituents, legs, the records they rest on, and what the venue sent, each step with ids and instants. */
export default function LineagePage({ api, index_id }: { api: Api; index_id: string }) {
  const shown = useCell(route)
  const { observation_id, record_id } = shown
  const read = useLoaded(`lineage ${index_id} ${observation_id} ${api.as_of}`, async (signal) => {
    const id = observation_id ?? (await getPrice(api, index_id, signal))?.level.observation_id ?? null
    return id === null ? null : (await getObservation(api, index_id, id, signal)).data
  })
  return html`<p class="kind"><a href=${linkTo(shown, {})}>Indexes</a> / <a href=${linkTo(shown, { index_id, observation_id })}>${index_id}</a> / lineage</p>
    <h1>Lineage of a level</h1>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Level" />`}
    ${read.state === 'loading' && html`<${Loading} what="level" />`}
    ${read.state === 'ready' && read.data === null && html`<${Empty}>No levels yet<//>`}
    ${read.state === 'ready' && read.data !== null && html`<${LevelStep} level=${read.data} /><${LegStep} level=${read.data} />`}
    ${record_id !== null && html`<${RecordStep} key=${record_id} api=${api} record_id=${record_id} />`}
    ${record_id === null && read.data != null && html`<${Empty}>Choose a record above to follow it to the payload that it was read from<//>`}`
}

function LevelStep({ level }: { level: IndexObservation }) {
  const known =
    level.level === null ? null : html`<b>${groupDigits(level.level)}</b> ${level.unit.replaceAll('_', ' ')}`
  return html`<section aria-labelledby="step-level"><h2 id="step-level">1. Level</h2>
    <${Facts} facts=${[
      ['Level', known],
      ['Tick', html`${showMinute(level.tick_at)} UTC`],
      ['Quality', html`<${QualityBadge} state=${level.quality_state} />`],
      ['Inputs until', level.source_cutoff_at === null ? null : html`${showInstant(level.source_cutoff_at)} UTC`],
      ['Published', html`${showInstant(level.published_at)} UTC`],
      ['Id', html`<code class="hash">${level.observation_id}</code>`],
      ['Record hash', html`<code class="hash">${level.record_hash}</code>`],
    ]} /></section>`
}

const COLUMNS: readonly Column[] = [
  ['Constituent', 'head'],
  ['Market', 'text'],
  ['Value', 'number'],
  ['Rule'],
  ['Source time, UTC', 'instant'],
  ['Confirmed, UTC', 'instant'],
  ['Records', 'text'],
]

function ruleText(rule: string): string {
  return (MARK_RULE_TEXTS as Readonly<Record<string, string>>)[rule] ?? ''
}

function LegStep({ level }: { level: IndexObservation }) {
  const instant = (text: string | null) => (text === null ? html`<span class="none">–</span>` : showInstant(text))
  const rows = sourcesOf(level).map((one, at) => ({
    key: `${one.constituent_id} ${at}`,
    cells: [
      html`<code>${one.constituent_id}</code>`,
      html`<${MarketLink} market_id=${one.market_id} title=${one.market_id ?? 'none'} /> <code class="hash">${one.outcome_id}</code>`,
      one.value ?? html`<span class="none">not known</span>`,
      one.rule === null
        ? html`<span class="none">–</span>`
        : html`${one.rule} <span class="quiet">${ruleText(one.rule)}</span>`,
      instant(one.source_at),
      instant(one.confirmed_at),
      html`<${RecordLinks} ids=${one.record_ids} level=${level} />`,
    ],
  }))
  return html`<${RecordTable} id="step-legs" title="2. Constituents and legs" columns=${COLUMNS} rows=${rows} empty="This level has no inputs" />`
}

function RecordLinks({ ids, level }: { ids: readonly string[]; level: IndexObservation }) {
  const shown = useCell(route)
  const { index_id, observation_id } = level
  if (ids.length === 0) return html`<span class="none">none</span>`
  return html`<ul class="keys">${ids.map((record_id) => html`<li key=${record_id}><a href=${linkTo(shown, { view: 'lineage', index_id, observation_id, record_id })} aria-current=${shown.record_id === record_id ? 'true' : null}><code class="hash">${record_id}</code></a></li>`)}</ul>`
}

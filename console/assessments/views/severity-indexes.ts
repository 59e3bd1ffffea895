import type { SeverityIndex, SeverityIndexValue } from '../../../protocol/resources/severity-index.ts'
import type { Api } from '../../data/api-client.ts'
import { asPercent, groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { QualityBadge } from '../../parts/quality-badge.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { Level } from '../parts/grade.ts'
import { getSeverityIndexValue, listSeverityIndexes } from '../reads.ts'

/** Severity indexes, each with its value and what it is made of. None of them is a price. */
export function SeverityIndexes({ api }: { api: Api }) {
  const read = useLoaded(`severity-indexes ${api.as_of}`, (signal) => listSeverityIndexes(api, signal))
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Severity indexes" />`
  if (read.state === 'loading') return html`<${Loading} what="severity indexes" />`
  if (read.data.length === 0) return html`<section><h2>Severity indexes</h2><${Empty}>None is defined.<//></section>`
  return html`${read.data.map((index) => html`<${OneIndex} key=${index.severity_index_id} api=${api} index=${index} />`)}`
}

const COLUMNS: readonly Column[] = [
  ['Event', 'head'],
  ['Level'],
  ['Score', 'number'],
  ['Relevance', 'number'],
  ['Days since its end', 'number'],
]

function OneIndex({ api, index }: { api: Api; index: SeverityIndex }) {
  const { severity_index_id, name, description } = index
  const read = useLoaded(`severity-value ${severity_index_id} ${api.as_of}`, (signal) =>
    getSeverityIndexValue(api, severity_index_id, signal),
  )
  const title = html`${name} <span class="quiet">severity index, not a price</span>`
  if (read.state !== 'ready' || read.data === null) {
    return html`<section><h2>${title}</h2>
      ${description !== null && html`<p class="quiet">${description}</p>`}
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what=${name} />`}
      ${read.state === 'loading' && html`<${Loading} what=${name} />`}
      ${read.state === 'ready' && html`<${Empty}>No value is published.<//>`}</section>`
  }
  const value = read.data
  const inputs = value.inputs ?? []
  const rows = inputs.map((input) => ({
    key: input.event_id,
    cells: [
      html`<${EventLink} event_id=${input.event_id} />`,
      input.level === null
        ? html`<span class="none">not assessed</span>`
        : html`<${Level} level=${input.level} short />`,
      input.score === null ? html`<span class="none">not known</span>` : groupDigits(input.score),
      trimZeros(input.relevance),
      input.days_since_end === null ? html`<span class="none">goes on</span>` : trimZeros(input.days_since_end),
    ],
  }))
  return html`<${RecordTable} id=${severity_index_id} title=${title} columns=${COLUMNS} rows=${rows} empty="No event of its rule is known." beside=${html`<${Value} value=${value} />`} />`
}

function Value({ value }: { value: SeverityIndexValue }) {
  return html`<p class="index-value">${value.value === null ? html`<b>not known</b>` : html`<b>${groupDigits(value.value)}</b> <span class="quiet">${value.unit.replaceAll('_', ' ')}</span>`}<span> · equal to ${value.level_equivalent} · ${asPercent(value.coverage_ratio)} % of the weight is known · <${QualityBadge} state=${value.quality_state} /> · <span class="quiet">until ${showMinute(value.source_cutoff_at)} UTC, version ${value.methodology_version}, revision ${value.revision}${value.correction_reason !== null && `: ${value.correction_reason}`}</span></span></p>`
}

function EventLink({ event_id }: { event_id: string }) {
  return html`<a href=${linkTo(useCell(route), { view: 'events', event_id })}><code class="hash">${event_id}</code></a>`
}

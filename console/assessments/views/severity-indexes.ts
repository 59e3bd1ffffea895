import type { SeverityIndex, SeverityIndexValue } from '../../../protocol/resources/severity-index.ts'
import type { Api } from '../../data/api-client.ts'
import { asPercent, compareDecimals, groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { QualityBadge } from '../../parts/quality-badge.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { Level } from '../parts/grade.ts'
import { getSeverityIndexValue, hazardTitles, listSeverityIndexes } from '../reads.ts'
import { useInForce } from '../use-in-force.ts'

/** Severity indexes with their values and inputs. */
export function SeverityIndexes({ api }: { api: Api }) {
  const read = useLoaded(`severity-indexes ${api.as_of}`, (signal) => listSeverityIndexes(api, signal))
  const named = useLoaded(`hazard-titles ${api.as_of}`, (signal) => hazardTitles(api, signal))
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Severity indexes" />`
  if (read.state === 'loading') return html`<${Loading} what="severity indexes" />`
  if (read.data.length === 0) return html`<section><h2>Severity indexes</h2><${Empty}>No severity indexes<//></section>`
  const titles = named.data ?? NO_TITLES
  return html`${read.data.map((index) => html`<${OneIndex} key=${index.severity_index_id} api=${api} index=${index} titles=${titles} />`)}`
}

const COLUMNS: readonly Column[] = [
  ['Event', 'head'],
  ['Level', 'text'],
  ['Score', 'number'],
  ['Relevance', 'number'],
  ['Days since end', 'number'],
]

type Input = NonNullable<SeverityIndexValue['inputs']>[number]
type Titles = ReadonlyMap<string, string>
const NO_TITLES: Titles = new Map()

function OneIndex({ api, index, titles }: { api: Api; index: SeverityIndex; titles: Titles }) {
  const { severity_index_id, name, description } = index
  const { read } = useInForce({
    api,
    topic: 'severity_index.value',
    filters: { severity_index_id },
    key: `severity-value ${severity_index_id}`,
    load: (signal) => getSeverityIndexValue(api, severity_index_id, signal),
  })
  const title = html`${name} <span class="quiet">severity index, not a price</span>`
  if (read.state !== 'ready' || read.data === null) {
    return html`<section><h2>${title}</h2>
      ${description !== null && html`<p class="quiet">${description}</p>`}
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what=${name} />`}
      ${read.state === 'loading' && html`<${Loading} what=${name} />`}
      ${read.state === 'ready' && html`<${Empty}>No value yet<//>`}</section>`
  }
  const value = read.data
  const rows = (value.inputs ?? []).toSorted(gravestFirst).map((input) => ({
    key: input.event_id,
    cells: [
      html`<${EventLink} event_id=${input.event_id} title=${titles.get(input.event_id) ?? null} />`,
      input.level === null
        ? html`<span class="none">not assessed</span>`
        : html`<${Level} level=${input.level} short />`,
      input.score === null ? html`<span class="none">unknown</span>` : groupDigits(input.score),
      trimZeros(input.relevance),
      input.days_since_end === null ? html`<span class="none">ongoing</span>` : trimZeros(input.days_since_end),
    ],
  }))
  return html`<${RecordTable} id=${severity_index_id} title=${title} columns=${COLUMNS} rows=${rows} empty="No events" beside=${html`<${Value} value=${value} />`} />`
}

function Value({ value }: { value: SeverityIndexValue }) {
  return html`<p class="index-value">${value.value === null ? html`<b>unknown</b>` : html`<b>${groupDigits(value.value)}</b> <span class="quiet">${value.unit.replaceAll('_', ' ')}</span>`}<span> · equivalent to ${value.level_equivalent} · ${asPercent(value.coverage_ratio)} % of weight known · <${QualityBadge} state=${value.quality_state} /> · <span class="quiet">inputs until ${showMinute(value.source_cutoff_at)} UTC, version ${value.methodology_version}, revision ${value.revision}${value.correction_reason !== null && `: ${value.correction_reason}`}</span></span></p>`
}

/** Sorts by severity, unknown ones last. */
function gravestFirst(a: Input, b: Input): number {
  if (a.level !== b.level) return rankOf(b) - rankOf(a)
  if (a.score === null || b.score === null) return Number(a.score === null) - Number(b.score === null)
  return compareDecimals(b.score, a.score)
}

function rankOf({ level }: Input): number {
  return level === null ? -1 : level === 'UNKNOWN' ? 0 : Number(level.slice(4)) + 1
}

function EventLink({ event_id, title }: { event_id: string; title: string | null }) {
  return html`<a class="outcome" href=${linkTo(useCell(route), { view: 'events', event_id })}>${title ?? html`<code class="hash">${event_id}</code>`}</a>`
}

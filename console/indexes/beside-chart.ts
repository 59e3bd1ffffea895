import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant, showMinute } from '../data/instant-text.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import type { CorrectedLevel } from './corrections.ts'
import { listRebalances } from './reads.ts'

const COLUMNS: readonly Column[] = [
  ['Tick, UTC', 'head'],
  ['Old level', 'number'],
  ['New level', 'number'],
  ['Revision', 'number'],
  ['Reason', 'text'],
  ['Published, UTC', 'instant'],
]

/** Corrected levels of the range; each leads to its old and new values. */
export function CorrectionTable({
  corrections,
  index_id,
}: {
  corrections: readonly CorrectedLevel[]
  index_id: string
}) {
  const shown = useCell(route)
  if (corrections.length === 0) return null
  const rows = corrections.map(({ level: one, replaced }) => ({
    key: one.observation_id,
    cells: [
      html`<a href=${linkTo({ ...shown, index_id: null }, { index_id, observation_id: one.observation_id })}>${showMinute(one.tick_at)}</a>`,
      replaced === null ? html`<span class="none">in its chain</span>` : levelOf(replaced),
      levelOf(one),
      String(one.revision),
      one.correction_reason ?? html`<span class="none">none</span>`,
      showInstant(one.published_at),
    ],
  }))
  return html`<${RecordTable} id="corrections" title="Corrections in this range" columns=${COLUMNS} rows=${rows} empty="" />`
}

function levelOf({ level }: IndexObservation) {
  return level === null ? html`<span class="none">none</span>` : groupDigits(level)
}

/** Rebalances of an index in the next 90 days. */
export function RebalanceList({ api, index_id }: { api: Api; index_id: string }) {
  const read = useLoaded(`rebalances ${index_id} ${api.as_of}`, (signal) => listRebalances(api, index_id, signal))
  const shown = useCell(route)
  return html`<section aria-labelledby="rebalances-title">
    <h2 id="rebalances-title">Rebalances in the next 90 days</h2>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Calendar" />`}
    ${read.state === 'loading' && html`<${Loading} what="calendar" />`}
    ${read.state === 'ready' && read.data.length === 0 && html`<${Empty}>No rebalance is announced<//>`}
    ${read.state === 'ready' && html`<ul class="keys">${read.data.map((one) => html`<li key=${one.entry_id}><b>${showMinute(one.at)}</b> ${one.title}</li>`)}</ul>`}
    <p><a href=${linkTo(shown, { view: 'calendar' })}>Calendar of everything that is due</a></p>
  </section>`
}

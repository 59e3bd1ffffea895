import type { IndexPreview } from '../../protocol/resources/robustness.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits, trimZeros } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showMinute } from '../data/instant-text.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { moveText, type PreviewCase, previewCases } from './model.ts'
import { listPreviews } from './reads.ts'

/** Indexes that read a market, with their level under each outcome and if the market were void. */
export default function PreviewSection({ api, market_id }: { api: Api; market_id: string }) {
  const read = useLoaded(`previews ${market_id} ${api.as_of}`, (signal) => listPreviews(api, market_id, signal))
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Previews" />`
  if (read.state === 'loading') return html`<${Loading} what="previews" />`
  return html`<p class="quiet">The latest level, as if the market had resolved at its tick and all else stood.</p>
    ${read.data.length === 0 && html`<${Empty}>No index with a level reads this market<//>`}
    ${read.data.map((one) => html`<${Preview} key=${one.index_id} preview=${one} />`)}`
}

const COLUMNS: readonly Column[] = [
  ['Case', 'head'],
  ['Level', 'number'],
  ['Move', 'number'],
  ['Values that change', 'text'],
]

function Preview({ preview }: { preview: IndexPreview }) {
  const { index_id, level, tick_at } = preview
  const rows = previewCases(preview).map((one) => ({ key: one.key, cells: cellsOf(one) }))
  const shown = useCell(route)
  const beside = html`<span>${level === null ? html`<span class="none">no level</span>` : html`<b>${groupDigits(level)}</b>`} <span class="quiet">at ${showMinute(tick_at)} UTC</span> <a href=${linkTo(shown, { index_id })}>Show the index</a></span>`
  return html`<${RecordTable} id=${`preview-${index_id}`} title=${index_id} columns=${COLUMNS} rows=${rows} empty="The market has no outcomes" beside=${beside} />`
}

function cellsOf({ name, level, move, reason, constituents }: PreviewCase) {
  const none = html`<span class="none">no level</span>`
  return [
    html`${name}${reason !== null && html` <span class="codes">${reason}</span>`}`,
    level === null ? none : groupDigits(level),
    moveText(move) ?? none,
    constituents.length === 0
      ? html`<span class="none">none</span>`
      : html`<ul class="keys">${constituents.map(
          ({ constituent_id, before, after }) =>
            html`<li key=${constituent_id}>${constituent_id}: ${shownValue(before)} to ${shownValue(after)}</li>`,
        )}</ul>`,
  ]
}

function shownValue(text: string | null): string {
  return text === null ? 'missing' : trimZeros(text)
}

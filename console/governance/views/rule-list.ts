import type { RuleChange } from '../../../protocol/resources/notice.ts'
import { RULE_CHANGE_KINDS } from '../../../vocabulary/notices.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { minuteOf, shortId, spoken } from '../model/words.ts'
import { IndexLinks } from '../parts/index-links.ts'
import { Select } from '../parts/select.ts'
import { listRuleChanges } from '../reads.ts'

const COLUMNS: readonly Column[] = [
  ['Market', 'head'],
  ['Kind'],
  ['Changed', 'text'],
  ['Published, UTC', 'instant'],
  ['Venue'],
  ['Indexes that read it then', 'text'],
]
const KINDS = RULE_CHANGE_KINDS.map((kind) => [kind, spoken(kind)] as const)

/** Rules of markets as venues changed them, newest first; each market has a page with its texts side by side. */
export function RuleList({ api }: { api: Api }) {
  const { kind, index_id } = useCell(route)
  const query = { ...(kind === null ? {} : { kind }), ...(index_id === null ? {} : { index_id }) }
  const load = (signal: AbortSignal) => listRuleChanges(api, query, signal)
  const read = useLoaded(`rules ${kind} ${index_id} ${api.as_of}`, load)
  const beside = html`${index_id !== null && html`<${OneIndex} index_id=${index_id} />`}
    <${Select} id="kind" label="Kind" value=${kind} options=${KINDS} onChoose=${(next: string | null) => go({ kind: next })} />`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Rules" />`
  if (read.state === 'loading') return html`<div class="section-head">${beside}</div><${Loading} what="rules" />`
  const rows = read.data.toReversed().map((one) => ({ key: one.change_id, cells: cellsOf(one) }))
  const empty = kind === null && index_id === null ? 'No rules of markets are archived' : 'No entry matches'
  return html`<${RecordTable} id="rules" title="Rules as they changed" columns=${COLUMNS} rows=${rows} empty=${empty} beside=${beside} />`
}

function OneIndex({ index_id }: { index_id: string }) {
  const shown = useCell(route)
  return html`<span>of <a href=${linkTo(shown, { index_id })}>${index_id}</a>, <a href=${linkTo(shown, { view: 'rules', kind: shown.kind })}>all</a></span>`
}

function cellsOf(change: RuleChange) {
  const { kind, changed_fields, published_at, venue_id, index_ids } = change
  return [
    html`<${MarketName} change=${change} />`,
    kind,
    kind === 'archived' ? html`<span class="quiet">first text</span>` : changed_fields.map(spoken).join(', '),
    minuteOf(published_at),
    venue_id ?? html`<span class="none">none</span>`,
    html`<${IndexLinks} index_ids=${index_ids} />`,
  ]
}

function MarketName({ change: { market_id, resolution_question } }: { change: RuleChange }) {
  const to = linkTo(useCell(route), { view: 'rules', market_id })
  return html`<span class="outcome"><a href=${to}>${resolution_question ?? shortId(market_id)}</a><span class="quiet age"><code title=${market_id}>${shortId(market_id)}</code></span></span>`
}

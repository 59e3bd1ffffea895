import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Facts } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { type RuleRevision, ruleRevisions } from '../model/rule-sides.ts'
import { spoken } from '../model/words.ts'
import { Hash } from '../parts/hash.ts'
import { IndexLinks } from '../parts/index-links.ts'
import { listRuleChanges } from '../reads.ts'

const COLUMNS = [
  ['Text', 'head'],
  ['Before', 'text'],
  ['After', 'text'],
] as const

/** Rules of one market, newest first: each text beside the one that it replaced. */
export function MarketRulesPage({ api, market_id }: { api: Api; market_id: string }) {
  const shown = useCell(route)
  const load = (signal: AbortSignal) => listRuleChanges(api, { market_id }, signal)
  const read = useLoaded(`rules of ${market_id} ${api.as_of}`, load)
  const place = html`<p class="kind"><a href=${linkTo(shown, { view: 'rules' })}>Market rules</a> / market</p>
    <h1>Rules of a market</h1>
    <p><a href=${linkTo(shown, { market_id })}><code class="hash">${market_id}</code></a></p>`
  if (read.state === 'failed') return html`${place}<${ErrorNote} error=${read.error} what="Rules" />`
  if (read.state === 'loading') return html`${place}<${Loading} what="rules" />`
  const revisions = ruleRevisions(read.data)
  return html`${place}
    ${revisions.length === 0 && html`<${Empty}>No rules of this market are archived${api.as_of === null ? '' : ' at this time'}<//>`}
    ${revisions.map((one) => html`<${Revision} key=${one.change.change_id} revision=${one} />`)}`
}

function Revision({ revision: { change, sides } }: { revision: RuleRevision }) {
  const { change_id, kind, revision, published_at, source_at, rules_sha256, previous_sha256, index_ids } = change
  const title = `${kind === 'archived' ? 'First text' : 'Changed text'}, ${showInstant(published_at)} UTC`
  const rows = sides.map(({ field, before, after, is_changed }) => ({
    key: field,
    cells: [
      html`${spoken(field)}${is_changed && html` <span class="tag">changed</span>`}`,
      sideOf(before, is_changed, 'del'),
      sideOf(after, is_changed, 'ins'),
    ],
  }))
  const above = html`<${Facts} facts=${[
    ['Market revision', String(revision)],
    ['Changed at the venue', `${showInstant(source_at)} UTC`],
    ['Hash', html`<${Hash} text=${rules_sha256} />`],
    ['Hash before', html`<${Hash} text=${previous_sha256} />`],
    ['Indexes that read it then', html`<${IndexLinks} index_ids=${index_ids} />`],
  ]} />`
  return html`<${RecordTable} id=${change_id} title=${title} columns=${COLUMNS} rows=${rows} empty="The rules have no text" above=${above} />`
}

function sideOf(text: string | null, is_changed: boolean, element: 'del' | 'ins') {
  if (text === null) return html`<span class="none">none</span>`
  if (!is_changed) return html`<span class="as-written">${text}</span>`
  return element === 'del' ? html`<del class="as-written">${text}</del>` : html`<ins class="as-written">${text}</ins>`
}

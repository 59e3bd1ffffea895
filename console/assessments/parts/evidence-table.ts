import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { spoken } from '../words.ts'

type Evidence = MarketRating['evidence'][number]
const COLUMNS = [
  ['Kind', 'head'],
  ['Component'],
  ['Tier'],
  ['Observed, UTC', 'instant'],
  ['Source', 'text'],
  ['Content hash', 'text'],
] as const

/** Evidence of a record, with the hash of each text or document. */
export function EvidenceTable({
  id,
  title = 'Evidence',
  evidence,
}: {
  id: string
  title?: string
  evidence: readonly Evidence[]
}) {
  const rows = evidence.map((one) => ({
    key: one.evidence_id,
    cells: [
      spoken(one.kind),
      one.component === null ? none() : spoken(one.component),
      one.tier ?? none(),
      one.observed_at === null ? none() : showInstant(one.observed_at),
      one.source_uri === null ? none() : html`<${Source} uri=${one.source_uri} />`,
      one.content_hash === null ? none() : html`<code class="hash">${one.content_hash}</code>`,
    ],
  }))
  return html`<${RecordTable} id=${id} title=${title} columns=${COLUMNS} rows=${rows} empty="No evidence" />`
}

/** Source of evidence, as a link if it is a web or service address. */
function Source({ uri }: { uri: string }) {
  if (!/^(https?:\/\/|\/v1\/)/.test(uri)) return html`<code class="hash">${uri}</code>`
  return html`<a href=${uri} target="_blank" rel="noopener noreferrer"><code class="hash">${uri}</code></a>`
}

function none() {
  return html`<span class="none">none</span>`
}

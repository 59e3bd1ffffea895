import type { ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import { html } from '../../html.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { differenceRows, readableContent } from '../model/difference-rows.ts'

const COLUMNS = [
  ['Field', 'head'],
  ['In force', 'text'],
  ['Proposed', 'text'],
] as const

/** Content of a proposal: what differs from the record in force, old beside new, and the whole of it. */
export function ContentSection({ proposal }: { proposal: ProposalWithHistory }) {
  const { diff, base_hash, content } = proposal
  const differences = differenceRows(diff)
  const rows = differences.map(({ path, before, after, change }) => ({
    key: path,
    cells: [
      html`<code>${path}</code> <span class="tag">${change}</span>`,
      before === null ? html`<span class="none">absent</span>` : html`<del>${before}</del>`,
      after === null ? html`<span class="none">absent</span>` : html`<ins>${after}</ins>`,
    ],
  }))
  const rest = diff.length - differences.length
  const first = base_hash === null ? html`<p class="quiet">The first of its kind: it replaces nothing.</p>` : null
  const above = html`${first}${rest > 0 && html`<p class="quiet">${rest} more fields differ; the record has all.</p>`}
    <details><summary>Whole content as signed</summary><pre class="signed">${readableContent(content)}</pre></details>`
  return html`<${RecordTable} id="content" title="What changes" columns=${COLUMNS} rows=${rows} empty="Nothing differs" above=${above} />`
}

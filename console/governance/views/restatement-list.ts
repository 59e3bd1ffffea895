import type { Restatement } from '../../../protocol/resources/notice.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { largestRestated } from '../model/restated-rows.ts'
import { minuteOf, shortId } from '../model/words.ts'
import { IndexLinks } from '../parts/index-links.ts'
import { listRestatements } from '../reads.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000
const COLUMNS: readonly Column[] = [
  ['Restatement', 'head'],
  ['Index'],
  ['Ticks from, UTC', 'instant'],
  ['To, UTC', 'instant'],
  ['Levels', 'number'],
  ['Largest', 'number'],
  ['Cause', 'text'],
  ['Published, UTC', 'instant'],
]

/** Late restatements, newest first, of all indexes or of the one that the address names. */
export function RestatementList({ api }: { api: Api }) {
  const shown = useCell(route)
  const { index_id } = shown
  const now = useNow(AGAIN_MS)
  const load = (signal: AbortSignal) => listRestatements(api, index_id, signal)
  const read = useLoaded(`restatements ${index_id} ${api.as_of}`, load, api.as_of === null ? now : null)
  const beside =
    index_id !== null && html`<a href=${linkTo(shown, { view: 'restatements' })}>Restatements of every index</a>`
  const above = html`<p class="quiet">Levels that were corrected after the time in which a correction needs no vote. The old ones stay the answer as of the days before.</p>`
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Restatements" />`
  if (read.state === 'loading') return html`<div class="section-head">${beside}</div><${Loading} what="restatements" />`
  const rows = read.data.toReversed().map((one) => ({ key: one.proposal_id, cells: cellsOf(one) }))
  const title = index_id === null ? 'Restatements' : `Restatements of ${index_id}`
  return html`<${RecordTable} id="restatements" title=${title} columns=${COLUMNS} rows=${rows} empty="No late restatement" beside=${beside} above=${above} />`
}

function cellsOf(restatement: Restatement) {
  const { index_id, starts_at, ends_at, changes, correction_reason, published_at } = restatement
  return [
    html`<${RestatementName} proposal_id=${restatement.proposal_id} />`,
    html`<${IndexLinks} index_ids=${[index_id]} />`,
    minuteOf(starts_at),
    minuteOf(ends_at),
    String(changes.length),
    largestRestated(changes),
    html`<code>${correction_reason}</code>`,
    minuteOf(published_at),
  ]
}

function RestatementName({ proposal_id }: { proposal_id: string }) {
  const to = linkTo(useCell(route), { view: 'restatements', proposal_id })
  return html`<a href=${to}><code title=${proposal_id}>${shortId(proposal_id)}</code></a>`
}

import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../../data/hooks.ts'
import { go, linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { deadlineOf, showRemaining } from '../model/deadline.ts'
import { filteredProposals, OPEN, valuesOf } from '../model/proposal-list.ts'
import { minuteOf, type Proposal, shortId, spoken } from '../model/words.ts'
import { Select } from '../parts/select.ts'
import { StateBadge } from '../parts/state-badge.ts'
import { listProposals } from '../reads.ts'
import { useServiceClock } from '../use-service-clock.ts'

/** Interval of reads while the page shows the present. */
const AGAIN_MS = 60_000
const COLUMNS: readonly Column[] = [
  ['Proposal', 'head'],
  ['State'],
  ['Class'],
  ['Proposed by'],
  ['Proposed, UTC', 'instant'],
  ['Effective, UTC', 'instant'],
]

/** All proposals, newest first, by kind and state. */
export function ProposalList({ api }: { api: Api }) {
  const { kind, state } = useCell(route)
  const now = useNow(AGAIN_MS)
  const again = api.as_of === null ? now : null
  const read = useLoaded(`proposals ${api.as_of}`, (signal) => listProposals(api, signal), again)
  const clock = useServiceClock(api)
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Proposals" />`
  if (read.state === 'loading') return html`<${Loading} what="proposals" />`
  const count = ([value, number]: readonly [string, number]) => [value, `${spoken(value)} (${number})`] as const
  const beside = html`<${Select} id="kind" label="Kind" value=${kind} options=${valuesOf(read.data, 'kind').map(count)} onChoose=${(next: string | null) => go({ kind: next })} />
    <${Select} id="state" label="State" value=${state} options=${[[OPEN, 'open'], ...valuesOf(read.data, 'state').map(count)]} onChoose=${(next: string | null) => go({ state: next })} />`
  const rows = filteredProposals(read.data, { kind, state }).map((one) => ({
    key: one.proposal_id,
    cells: cellsOf(one, clock.now_ms),
  }))
  const empty =
    read.data.length === 0 ? `No proposals ${api.as_of === null ? 'yet' : 'at this time'}` : 'No proposal matches'
  return html`<${RecordTable} id="proposals" title="Proposals" columns=${COLUMNS} rows=${rows} empty=${empty} beside=${beside} />`
}

function cellsOf(proposal: Proposal, now_ms: number) {
  const { state, change_class, proposed_by, proposed_at, effective_at, emergency } = proposal
  const deadline = deadlineOf(proposal)
  return [
    html`<${ProposalName} proposal=${proposal} />`,
    html`<span><${StateBadge} state=${state} />${deadline !== null && html` <span class="quiet age">${deadline.what.toLowerCase()} ${showRemaining(deadline.at, now_ms)}</span>`}</span>`,
    html`${change_class}${emergency !== null && html` <span class="tag">${emergency}</span>`}`,
    proposed_by,
    minuteOf(proposed_at),
    effective_at === null ? html`<span class="none">none</span>` : minuteOf(effective_at),
  ]
}

function ProposalName({ proposal: { proposal_id, kind, target, rationale } }: { proposal: Proposal }) {
  const to = linkTo(useCell(route), { view: 'governance', proposal_id })
  return html`<span class="outcome"><a href=${to}>${spoken(kind)}${target !== kind && html` <code>${target}</code>`} <code class="quiet" title=${proposal_id}>${shortId(proposal_id)}</code></a><span class="quiet age">${rationale}</span></span>`
}

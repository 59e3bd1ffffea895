import type { ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { type ActRow, type VoteRow, voteRows } from '../model/act-rows.ts'
import { SeatList } from '../parts/seat-list.ts'

const COLUMNS = [['Member', 'head'], ['Vote'], ['Signed, UTC', 'instant'], ['Reason', 'text'], ['Key', 'text']] as const

/** Votes and dissent, with the seats that approval needs and those that are filled. */
export function VoteSection({ proposal, rows }: { proposal: ProposalWithHistory; rows: readonly ActRow[] }) {
  const { votes, ratifications, seats, ratification_seats, recused } = proposal
  const above = html`<${SeatList} seats=${seats} title="Seats of the approval" />
    ${recused.length > 0 && html`<p>Recused for a conflict of interest: ${recused.join(', ')}</p>`}`
  return html`<${RecordTable} id="votes" title="Votes" columns=${COLUMNS} rows=${voteRows(votes, rows).map(rowOf)} empty="No votes yet" above=${above} />
    ${
      ratification_seats.length > 0 &&
      html`<${RecordTable} id="ratifications" title="Ratifications" columns=${COLUMNS} rows=${voteRows(ratifications, rows).map(rowOf)} empty="Nobody has ratified it" above=${html`<${SeatList} seats=${ratification_seats} title="Seats of the ratification" />`} />`
    }`
}

function rowOf({ actor_id, choice, acted_at, reason, public_key }: VoteRow) {
  return {
    key: `${actor_id}${public_key}`,
    cells: [
      actor_id,
      html`<b>${choice}</b>`,
      showInstant(acted_at),
      reason ?? html`<span class="none">none</span>`,
      html`<code class="hash">${public_key}</code>`,
    ],
  }
}

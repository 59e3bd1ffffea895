import type { ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import { html } from '../../html.ts'

type Seats = ProposalWithHistory['seats'][number]

/** Signatures that are needed and given, one line for each role, in words and as a bar of seats. */
export function SeatList({ seats, title }: { seats: readonly Seats[]; title: string }) {
  return html`<ul class="seats" aria-label=${title}>
    ${seats.map(
      (one, at) => html`<li key=${at}>
        <${Boxes} seats=${one} />
        <span>${lineOf(one)}</span>
      </li>`,
    )}
  </ul>`
}

function lineOf({ roles, needed, actor_ids, roster_version }: Seats): string {
  const filled = Math.min(actor_ids.length, needed)
  const of = roster_version === null || !roles.includes('administrator') ? '' : ` of roster ${roster_version}`
  const together = roles.length > 1 ? ' together' : ''
  const names = actor_ids.length === 0 ? '' : `: ${actor_ids.join(', ')}`
  return `${roles.join(' and ')}${together}${of}, ${filled} of ${needed} filled${names}`
}

function Boxes({ seats: { needed, actor_ids } }: { seats: Seats }) {
  const boxes = Array.from({ length: Math.min(needed, 12) }, (_, at) => at < actor_ids.length)
  return html`<svg viewBox=${`0 0 ${boxes.length * 14} 12`} width=${boxes.length * 14} height="12" aria-hidden="true">
    ${boxes.map((is_filled, at) => html`<rect key=${at} class=${is_filled ? 'is-filled' : ''} x=${at * 14 + 1} y="1" width="10" height="10" />`)}
  </svg>`
}

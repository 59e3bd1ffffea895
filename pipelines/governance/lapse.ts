import { recordHash } from './documents.ts'
import type { GovernanceState, Proposal, Returned } from './proposal.ts'

/** Returns the hash of the content in force after the lapse of a change: its own act states it. */
export function headAfterLapse(state: GovernanceState, proposal: Proposal): string | null {
  const returned = returnOf(state, proposal)
  return returned === null ? headOf(state, proposal) : returned.hash
}

/**
 * Returns what the lapse of a change returns to: the newest change before it that has not lapsed itself. Two emergencies that both lapse
 * thus end where the first began.
 * @returns null: another change has replaced it, and stays
 */
export function returnOf(state: GovernanceState, proposal: Proposal): Returned | null {
  if (isReplaced(state, proposal)) return null
  const before = enactedBefore(state, proposal)
  const base = before.findLast((one) => one.state !== 'lapsed')
  if (base !== undefined) return { hash: recordHash(base.content) }
  return { hash: (before[0] ?? proposal).base_hash }
}

/** Returns what earlier releases returned to: the base that the change names, even one that had lapsed. */
export function returnBefore(state: GovernanceState, proposal: Proposal): Returned | null {
  return isReplaced(state, proposal) ? null : { hash: proposal.base_hash }
}

/** Returns the newest change that put a content in force; null: none did. */
export function enactedWith(
  { proposals, enacted }: GovernanceState,
  target: string,
  hash: string | null,
): Proposal | null {
  const id = enacted.findLast((one) => {
    const { target: of, content } = proposals.get(one)!
    return of === target && recordHash(content) === hash
  })
  return id === undefined ? null : proposals.get(id)!
}

/** Returns the lapsed changes that returned to the content of another. */
export function lapsedOver({ proposals }: GovernanceState, base: Proposal): readonly Proposal[] {
  const hash = recordHash(base.content)
  return [...proposals.values()].filter(({ target, returned }) => target === base.target && returned?.hash === hash)
}

function isReplaced(state: GovernanceState, proposal: Proposal): boolean {
  return headOf(state, proposal) !== recordHash(proposal.content)
}

function headOf({ heads }: GovernanceState, { target }: Proposal): string | null {
  return heads.get(target) ?? null
}

/** Returns the changes of the same record that took effect before another, in that order. */
function enactedBefore({ proposals, enacted }: GovernanceState, { proposal_id, target }: Proposal): Proposal[] {
  const before = enacted.slice(0, enacted.lastIndexOf(proposal_id))
  return before.map((id) => proposals.get(id)!).filter((one) => one.target === target)
}

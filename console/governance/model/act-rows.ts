import type { GovernanceAct, ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import type { ProposalState } from './words.ts'

/** An act with what it did to the proposal, and what its actor wrote. */
export type ActRow = {
  readonly act: GovernanceAct
  /** State after the act; null: it was refused. */
  readonly state: ProposalState | null
  /** Reason, comment or rationale; null: none. */
  readonly text: string | null
  readonly choice: string | null
}

/** Returns the acts on a proposal in the order of the service, each with the state that it led to. */
export function actRows(proposal: ProposalWithHistory, acts: readonly GovernanceAct[]): readonly ActRow[] {
  return acts.map((act) => {
    const after = proposal.history.find(({ act_id }) => act_id === act.act_id)
    const details = detailsOf(act)
    const texts = ['text', 'reason', 'rationale'].map((name) => details[name])
    return {
      act,
      state: act.outcome === 'refused' ? null : (after?.state ?? null),
      text: (texts.find((text) => typeof text === 'string') as string | undefined) ?? null,
      choice: typeof details.choice === 'string' ? details.choice : null,
    }
  })
}

/** A vote with the reason that its act gives. */
export type VoteRow = ProposalWithHistory['ratifications'][number] & { readonly reason: string | null }

/** Returns votes, each with its reason. */
export function voteRows(votes: ProposalWithHistory['ratifications'], rows: readonly ActRow[]): readonly VoteRow[] {
  return votes.map((vote) => {
    const theirs = rows.find(({ act }) => act.actor_id === vote.actor_id && act.acted_at === vote.acted_at)
    return { ...vote, reason: theirs?.text ?? null }
  })
}

/** Returns what was said about a proposal: comments, conflicts of interest, vetoes. */
export function remarks(rows: readonly ActRow[]): readonly ActRow[] {
  return rows.filter(
    ({ act, state }) => state !== null && ['comment', 'recuse', 'veto', 'cancel'].includes(act.act ?? ''),
  )
}

function detailsOf({ signed_text }: GovernanceAct): Readonly<Record<string, unknown>> {
  try {
    const { details } = JSON.parse(signed_text) as { details?: unknown }
    return typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

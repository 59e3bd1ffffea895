import type { Instant } from '../../primitives/instants.ts'
import type { ProposalState } from '../../vocabulary/governance.ts'
import { changeName, NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, type Notice } from './notice.ts'

/** State of a proposal as published. */
export type ProposalFact = {
  readonly proposal_id: string
  readonly revision: number
  readonly kind: string
  readonly target: string
  readonly change_class: string
  readonly state: ProposalState
  readonly reason: string | null
  readonly rationale: string
  readonly effective_at: Instant | null
  /** End of an emergency that nobody has ratified; null: none, or ratified. */
  readonly lapses_at: Instant | null
  readonly act_id: string
}

/**
 * Returns the notices that follow from the states of proposals.
 * @param facts sorted by (proposal_id, revision)
 * @param form  form of the notices
 */
export function noticesOfProposals(
  facts: readonly ProposalFact[],
  form: NoticeFormVersion = NOTICE_FORMS[0],
): Notice[] {
  return facts.flatMap((fact, at) => {
    const before = facts[at - 1]
    const earlier = before?.proposal_id === fact.proposal_id ? before : null
    const announced =
      earlier?.state === fact.state
        ? ratificationOf(fact, earlier, form)
        : announcementOf(fact, earlier?.state ?? null, form)
    return announced === null ? [] : [noticeOf(fact, announced)]
  })
}

type Announcement = { readonly title: string; readonly text: string }

function announcementOf(fact: ProposalFact, was: ProposalState | null, form: NoticeFormVersion): Announcement | null {
  const { state, reason, effective_at, rationale } = fact
  const what = changeName(fact, form)
  switch (state) {
    case 'queued':
      return {
        title: `Approved: ${what}`,
        text: `The change was approved and takes effect at ${effective_at}. Rationale: ${rationale}`,
      }
    case 'effective':
      return was === 'queued'
        ? { title: `In force: ${what}`, text: `The change is in force since ${effective_at}. Rationale: ${rationale}` }
        : null
    case 'lapsed':
      return { title: `Lapsed: ${what}`, text: `The emergency change has lapsed: ${reason}.` }
    default:
      return was === 'queued'
        ? { title: `Withdrawn: ${what}`, text: `The announced change does not take effect: ${state}, ${reason}.` }
        : null
  }
}

/** Returns the announcement that an emergency stays in force; null: its state is the same for another reason. */
function ratificationOf(fact: ProposalFact, before: ProposalFact, form: NoticeFormVersion): Announcement | null {
  if (fact.state !== 'effective' || before.lapses_at === null || fact.lapses_at !== null) return null
  return {
    title: `Ratified: ${changeName(fact, form)}`,
    text: `The emergency change was ratified and stays in force. Rationale: ${fact.rationale}`,
  }
}

function noticeOf({ proposal_id, revision, kind, target, reason, ...fact }: ProposalFact, said: Announcement): Notice {
  return derivedNotice('proposal_state', {
    ...said,
    kind: kind === 'cessation' ? 'cessation' : 'announcement',
    subject_id: proposal_id,
    proposal_id,
    index_id: indexOfTarget(target),
    cause: reason,
    effective_at: fact.effective_at,
    source_ids: [proposal_id, String(revision), fact.act_id],
  })
}

/** Returns the index that the target of a proposal names, such as `idx_a` or `idx_a:status`; null: it names none. */
export function indexOfTarget(target: string): string | null {
  return target.startsWith('idx_') ? target.split(':')[0]! : null
}

import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import type { ProposalKind, ProposalState } from '../../vocabulary/governance.ts'
import { takesEffectAt } from '../governance/due.ts'
import type { Change } from '../governance/proposal.ts'
import { ADOPTION, changeName, NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, type Notice } from './notice.ts'

/** State of a proposal as published. */
export type ProposalFact = {
  readonly proposal_id: string
  readonly revision: number
  readonly kind: ProposalKind
  /** RFC 8785 text. */
  readonly content: string
  readonly target: string
  readonly change_class: string
  readonly state: ProposalState
  readonly reason: string | null
  readonly rationale: string
  readonly effective_at: Instant | null
  /** Instant at which its activation was recorded; null: it was not by then. */
  readonly enacted_at: Instant | null
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

type Announcement = {
  readonly title: string
  readonly text: string
  /** Instant at which the change takes effect, took effect or was to. */
  readonly effective_at: Instant | null
}

function announcementOf(fact: ProposalFact, was: ProposalState | null, form: NoticeFormVersion): Announcement | null {
  const what = changeName(fact, form)
  const effective_at = form < 6 ? fact.effective_at : effectOf(fact)
  const said = saidOf(fact, { what, was, effective_at, form })
  return said === null ? null : { ...said, effective_at }
}

type Naming = {
  readonly what: string
  readonly was: ProposalState | null
  readonly effective_at: Instant | null
  readonly form: NoticeFormVersion
}

function saidOf(
  fact: ProposalFact,
  { what, was, effective_at, form }: Naming,
): Omit<Announcement, 'effective_at'> | null {
  const { state, reason } = fact
  const because = `${form < 6 ? '' : adopted(fact)} Rationale: ${fact.rationale}`
  switch (state) {
    case 'queued':
      return {
        title: `Approved: ${what}`,
        text: `The change was approved and takes effect at ${effective_at}.${because}`,
      }
    case 'effective':
      if (was !== 'queued') return null
      // A version is published before it begins, so that its first level is computed in time.
      return form >= 6 && fact.kind === 'index_version'
        ? {
            title: `Published: ${what}`,
            text: `The version is published and takes effect at ${effective_at}.${because}`,
          }
        : { title: `In force: ${what}`, text: `The change is in force since ${effective_at}.${because}` }
    case 'lapsed':
      return { title: `Lapsed: ${what}`, text: `The emergency change has lapsed: ${reason}.` }
    default:
      return was === 'queued'
        ? { title: `Withdrawn: ${what}`, text: `The announced change does not take effect: ${state}, ${reason}.` }
        : null
  }
}

/** Returns the sentence about an adoption, whose class is that of a change of words. */
function adopted({ kind, target }: ProposalFact): string {
  if (kind !== ADOPTION) return ''
  return ` ${target} is governed from then on: proposals decide its versions, and those published stay as they are.`
}

/** Returns when a change takes effect; null: its notice has not begun. */
function effectOf({ kind, content, effective_at, enacted_at }: ProposalFact): Instant | null {
  const at = takesEffectAt({
    kind,
    content: JSON.parse(content) as Change['content'],
    effective_at: effective_at === null ? null : toMicros(effective_at),
    enacted_at: enacted_at === null ? null : toMicros(enacted_at),
  })
  return at === null ? null : formatMicros(at)
}

/** Returns the announcement that an emergency stays in force; null: its state is the same for another reason. */
function ratificationOf(fact: ProposalFact, before: ProposalFact, form: NoticeFormVersion): Announcement | null {
  if (fact.state !== 'effective' || before.lapses_at === null || fact.lapses_at !== null) return null
  return {
    title: `Ratified: ${changeName(fact, form)}`,
    text: `The emergency change was ratified and stays in force. Rationale: ${fact.rationale}`,
    effective_at: form < 6 ? fact.effective_at : effectOf(fact),
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
    source_ids: [proposal_id, String(revision), fact.act_id],
  })
}

/** Returns the index that the target of a proposal names, such as `idx_a` or `idx_a:status`; null: it names none. */
export function indexOfTarget(target: string): string | null {
  return target.startsWith('idx_') ? target.split(':')[0]! : null
}

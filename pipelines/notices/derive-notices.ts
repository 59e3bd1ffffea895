import type { Instant, Micros } from '../../primitives/instants.ts'
import { NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, type Notice } from './notice.ts'
import { noticesOfOutcomes, type OutcomeFact } from './of-complaints.ts'
import { type LevelFact, noticesOfLevels, noticesOfResolutions, type ResolutionFact } from './of-corrections.ts'
import { type DriftEndFact, type DriftFact, noticesOfDriftEnds, noticesOfDrifts } from './of-drifts.ts'
import {
  type ImpairmentFact,
  type LevelImpairmentFact,
  noticesOfLevelStates,
  noticesOfOutages,
  noticesOfPauses,
} from './of-impairments.ts'
import { noticesOfProposals, type ProposalFact } from './of-proposals.ts'

/** Change of an index's status. */
type StatusFact = {
  readonly index_id: string
  readonly revision: number
  readonly published_at: Instant
  readonly old_status: string
  readonly new_status: string
  readonly correction_reason: string | null
}

/** Published records from which notices follow, each kind in the order of its function. */
export type NoticeFacts = {
  readonly proposals: readonly ProposalFact[]
  readonly levels: readonly LevelFact[]
  readonly resolutions: readonly ResolutionFact[]
  readonly level_states: readonly LevelImpairmentFact[]
  readonly outages: readonly ImpairmentFact[]
  /** Pauses of ingest and of publication; `subject_id` is the schedule. */
  readonly pauses: readonly ImpairmentFact[]
  readonly statuses: readonly StatusFact[]
  readonly outcomes: readonly OutcomeFact[]
  readonly drifts: readonly DriftFact[]
  readonly drift_ends: readonly DriftEndFact[]
}

/**
 * Returns every notice that the service owes for these records. Later records add notices and change none.
 * @param form form of the notices about proposals, levels, impairments and drift
 */
export function deriveNotices(facts: NoticeFacts, now: Micros, form: NoticeFormVersion = NOTICE_FORMS[0]): Notice[] {
  return [
    ...noticesOfProposals(facts.proposals, form),
    ...noticesOfLevels(facts.levels, form),
    ...noticesOfResolutions(facts.resolutions),
    ...noticesOfLevelStates(facts.level_states, now, form),
    ...noticesOfOutages(facts.outages, now, form),
    ...noticesOfPauses(facts.pauses, now),
    ...facts.statuses.map(statusNotice),
    ...noticesOfOutcomes(facts.outcomes),
    ...noticesOfDrifts(facts.drifts, form),
    ...noticesOfDriftEnds(facts.drift_ends),
  ]
}

function statusNotice({ index_id, revision, old_status, new_status, ...fact }: StatusFact): Notice {
  const ends = new_status === 'archived'
  return derivedNotice('index_status', {
    kind: ends ? 'cessation' : 'announcement',
    subject_id: index_id,
    index_id,
    title: ends ? `Ended: ${index_id}` : `Status of ${index_id}: ${new_status}`,
    text: ends
      ? `The index was archived. It has no further levels; its history stays available.`
      : `The status was ${old_status} and is ${new_status}.`,
    cause: fact.correction_reason,
    effective_at: fact.published_at,
    changes: [
      { record_id: index_id, at: fact.published_at, field: 'status', old_value: old_status, new_value: new_status },
    ],
    source_ids: [index_id, String(revision)],
  })
}

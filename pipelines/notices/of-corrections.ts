import type { Instant } from '../../primitives/instants.ts'
import { NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, derivedNoticeId, type Notice, type NoticeChange } from './notice.ts'

/** Level that was restated with another value. */
export type LevelFact = {
  readonly index_id: string
  readonly tick_at: Instant
  readonly observation_id: string
  readonly correction_reason: string | null
  readonly published_at: Instant
  /** Late restatement that approved it; null: it needed no vote. */
  readonly proposal_id?: string | null
  /** Ticks in [range_from, range_to) that the restatement covers. */
  readonly range_from?: Instant | null
  readonly range_to?: Instant | null
  readonly old_level: string | null
  readonly new_level: string | null
}

/** Final resolution of a market that was changed. */
export type ResolutionFact = {
  readonly resolution_id: string
  readonly market_id: string
  readonly venue_id: string
  readonly revision: number
  readonly correction_reason: string | null
  readonly source_at: Instant
  readonly old_payouts: string
  readonly new_payouts: string
  readonly old_finality: string
  readonly new_finality: string
}

/** Most levels that one notice lists; a larger restatement has several notices, so that none is left out. */
const CHANGES_MAX = 1000

/**
 * Returns one notice for the levels of an index that one commit restated for one reason, or by one proposal.
 * @param facts sorted by (index_id, published_at, correction_reason, tick_at)
 * @param form  form of the notices
 */
export function noticesOfLevels(facts: readonly LevelFact[], form: NoticeFormVersion = NOTICE_FORMS[0]): Notice[] {
  const groups = new Map<string, LevelFact[]>()
  for (const fact of facts) {
    const key = [fact.index_id, fact.published_at, fact.correction_reason, fact.proposal_id].join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return [...groups.values()].flatMap((group) => parts(group).map((part) => restatementOf(part, form)))
}

function parts(group: readonly LevelFact[]): LevelFact[][] {
  const count = Math.ceil(group.length / CHANGES_MAX)
  return Array.from({ length: count }, (_, part) => group.slice(part * CHANGES_MAX, (part + 1) * CHANGES_MAX))
}

const RULE = 'levels_restated'

function restatementOf(facts: readonly LevelFact[], form: NoticeFormVersion): Notice {
  const [first, last] = [facts[0]!, facts.at(-1)!]
  const { index_id, correction_reason } = first
  const ends = [first.observation_id, last.observation_id]
  const notice = derivedNotice(RULE, {
    kind: 'correction',
    subject_id: index_id,
    index_id,
    ...saidOf(facts),
    cause: correction_reason,
    starts_at: first.tick_at,
    ends_at: last.tick_at,
    changes: facts.map(levelChange),
    source_ids: ends,
  })
  if (form < 3) return notice
  const { range_from, range_to } = first
  const range = range_from == null || range_to == null ? {} : { starts_at: range_from, ends_at: range_to }
  // The id is that of the earlier forms, so that a notice is not published again in another form.
  return { ...notice, ...range, source_ids: [...new Set(ends)], notice_id: derivedNoticeId(RULE, ends) }
}

/** Returns what a notice says: a late restatement also names its proposal and class. */
function saidOf(facts: readonly LevelFact[]) {
  const [{ index_id, correction_reason, tick_at, proposal_id = null }, last] = [facts[0]!, facts.at(-1)!]
  const levels = facts.length === 1 ? '1 level' : `${facts.length} levels`
  const range = `${levels} from ${tick_at} to ${last.tick_at}`
  const because = `because of ${correction_reason ?? 'no stated reason'}`
  if (proposal_id === null)
    return { title: `Corrected: ${levels} of ${index_id}`, text: `${range} were restated ${because}.` }
  const text = `${range} were restated late ${because}, as ${proposal_id} approved (class late_restatement).`
  return { title: `Restated late: ${levels} of ${index_id}`, text, proposal_id }
}

function levelChange({ observation_id, tick_at, old_level, new_level }: LevelFact): NoticeChange {
  return { record_id: observation_id, at: tick_at, field: 'level', old_value: old_level, new_value: new_level }
}

/** Returns the notices of resolutions that were final and were changed. */
export function noticesOfResolutions(facts: readonly ResolutionFact[]): Notice[] {
  return facts.map((fact) => {
    const { resolution_id, market_id, venue_id, correction_reason, source_at } = fact
    const changes = [
      { field: 'payouts', old_value: fact.old_payouts, new_value: fact.new_payouts },
      { field: 'finality', old_value: fact.old_finality, new_value: fact.new_finality },
    ].filter(({ old_value, new_value }) => old_value !== new_value)
    return derivedNotice('resolution_changed', {
      kind: 'correction',
      subject_id: market_id,
      market_id,
      venue_id,
      title: `Corrected: resolution of ${market_id}`,
      text: `The final resolution was changed by ${venue_id}: ${changes.map(({ field }) => field).join(' and ')}.`,
      cause: correction_reason,
      starts_at: source_at,
      changes: changes.map((change) => ({ record_id: resolution_id, at: source_at, ...change })),
      source_ids: [resolution_id, String(fact.revision)],
    })
  })
}

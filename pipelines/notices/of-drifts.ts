import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Instant } from '../../primitives/instants.ts'
import { type ConstituentEligibility, changedFacts } from '../eligibility/drift.ts'
import { driftSteps } from '../eligibility/drift-steps.ts'
import type { DriftEnd, LastingDrift } from '../eligibility/lasting-drift.ts'
import { NOTICE_FORMS, type NoticeFormVersion } from './change-name.ts'
import { derivedNotice, derivedNoticeId, type Notice, type NoticeChange } from './notice.ts'

/** Version that a notice drafts; a member adopts it by proposing it. */
type Draft = {
  readonly version: string
  readonly effective_from: Instant
  readonly text: string
  /** Instant at which a proposal made at once can take effect, if the draft begins before it. */
  readonly earliest_effect_at?: Instant | null
}

/** Lasting drift with what it leads to. */
export type DriftFact = LastingDrift & {
  /** Constituents to remove, with the decisions in force at the instant of the notice. */
  readonly constituents: readonly (ConstituentEligibility & {
    readonly status_at_selection: string | null
    readonly facts_as_of: Instant
  })[]
  /** null: no version without them is possible, and `refused` says why. */
  readonly draft: Draft | null
  /** The same as forms before 5 name it: by its day, even if that name is taken; left out: that of the draft. */
  readonly draft_before?: Draft | null
  readonly refused: string | null
}

/** End of a drift, or of a part of it, with the statuses by which it ended. */
export type DriftEndFact = DriftEnd & { readonly status_of: Readonly<Record<string, string>> }

const RULE = 'constituent_drift'
const END_RULE = 'constituent_drift_end'

/** Returns the id of the notice of a drift, which its draft names. */
export function driftNoticeId(drift: LastingDrift): string {
  return derivedNoticeId(RULE, sourcesOf(drift))
}

/** Returns the id of the notice of an end. */
export function driftEndNoticeId(end: DriftEnd): string {
  return derivedNoticeId(END_RULE, sourcesOfEnd(end))
}

function sourcesOfEnd({ drift, decision_ids }: DriftEnd): readonly string[] {
  return [driftNoticeId(drift), ...decision_ids]
}

/** Returns one notice for each end: it follows that of the drift, and withdraws the draft. */
export function noticesOfDriftEnds(facts: readonly DriftEndFact[]): Notice[] {
  return facts.map((fact) => {
    const { drift, accepted, remaining, status_of } = fact
    const { index_id } = drift
    const at = formatMicros(fact.at)
    const names = accepted.map(({ constituent_id }) => constituent_id).join(', ')
    return derivedNotice(END_RULE, {
      kind: 'drift',
      subject_id: index_id,
      index_id,
      title: `${remaining.length === 0 ? 'Drift is over' : 'Drift is over in part'}: ${countOf(accepted)} of ${index_id}`,
      text: textOfEnd(fact, names),
      starts_at: formatMicros(drift.since),
      ends_at: remaining.length === 0 ? at : null,
      changes: accepted.map(({ constituent_id: record_id, market_id }) => {
        return { record_id, at, field: 'eligibility', old_value: 'ineligible', new_value: status_of[market_id] ?? null }
      }),
      source_ids: sourcesOfEnd(fact),
      follows_notice_id: driftNoticeId(drift),
    })
  })
}

function textOfEnd({ drift, remaining, at }: DriftEndFact, names: string): string {
  const { policy_id, policy_version, index_id } = drift
  const left = remaining.map(({ constituent_id }) => constituent_id).join(', ')
  return [
    `No longer ineligible by ${policy_id} version ${policy_version} since ${formatMicros(at)}: ${names}.`,
    `This withdraws notice ${driftNoticeId(drift)} and any draft in it: a draft would remove what may stay.`,
    ...(left === '' ? [] : [`Still ineligible: ${left}. A new draft: tidemark governance drift ${index_id}.`]),
  ].join(' ')
}

function sourcesOf({ index_version_id, decision_ids }: LastingDrift): readonly string[] {
  return [index_version_id, ...decision_ids]
}

/** Returns one notice for each drift that lasted, with the draft of the version that removes its constituents. */
export function noticesOfDrifts(facts: readonly DriftFact[], form: NoticeFormVersion = NOTICE_FORMS[0]): Notice[] {
  return facts.map((one) => {
    const fact = form < 5 ? { ...one, draft: one.draft_before ?? one.draft } : one
    const { index_id, draft, constituents, since } = fact
    return derivedNotice(RULE, {
      kind: 'drift',
      subject_id: index_id,
      index_id,
      title: `Drift: ${countOf(constituents)} of ${index_id}`,
      text: textOf(fact, form),
      cause: [...new Set(constituents.flatMap(({ reason_codes }) => reason_codes))].sort().join(', ') || null,
      effective_at: draft?.effective_from ?? null,
      starts_at: formatMicros(since),
      changes: constituents.flatMap(changesOf),
      source_ids: sourcesOf(fact),
      draft: draft?.text ?? null,
      draft_sha256: draft === null ? null : sha256Hex(draft.text),
    })
  })
}

function countOf(constituents: readonly unknown[]): string {
  return constituents.length === 1 ? '1 constituent' : `${constituents.length} constituents`
}

function textOf(
  { policy_id, policy_version, since, drift_after, draft, refused, index_id, ...fact }: DriftFact,
  form: NoticeFormVersion,
): string {
  const names = fact.constituents.map(({ constituent_id }) => constituent_id).join(', ')
  const told = [
    `Ineligible by ${policy_id} version ${policy_version}, the first of them since ${formatMicros(since)}: ${names}.`,
    `The policy asks for a proposal after ${drift_after}.`,
  ]
  if (draft === null) return [...told, `No draft: ${refused}`].join(' ')
  const notice_id = driftNoticeId({ ...fact, policy_id, policy_version, since, drift_after, index_id })
  const { earliest_effect_at = null } = draft
  const command = `tidemark governance drift ${index_id} --notice ${notice_id} --out draft.json`
  return [
    ...told,
    `The draft is version ${draft.version} from ${draft.effective_from}; nobody has signed it.`,
    ...(form < 5 || earliest_effect_at === null ? [] : [unmetText(earliest_effect_at)]),
    form < 4
      ? `A member adopts it: ${command}, then tidemark governance propose draft.json.`
      : `Members adopt it: ${[command, ...driftSteps('draft.json')].join('; ')}.`,
  ].join(' ')
}

const UNMET = 'No proposal can meet this start: its vote and its notice end at'

function unmetText(earliest_effect_at: Instant): string {
  return `${UNMET} ${earliest_effect_at} at the earliest. The index needs a longer data_lead.`
}

/** Returns the earliest instant at which a proposal can take effect, as a notice states it; null: it states none. */
export function unmetIn(text: string): Instant | null {
  const at = text.indexOf(UNMET)
  return at < 0 ? null : (text.slice(at + UNMET.length + 1).split(' ')[0]! as Instant)
}

function changesOf(one: DriftFact['constituents'][number]): NoticeChange[] {
  const { constituent_id, market_id, status, status_at_selection, facts_as_of: at } = one
  const decided = { field: 'eligibility', old_value: status_at_selection, new_value: status }
  const facts = changedFacts(one).map(({ fact, at_selection, now }) => ({
    ...{ record_id: market_id, at, field: fact, old_value: at_selection, new_value: now },
  }))
  return [{ record_id: constituent_id, at, ...decided }, ...facts]
}

import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type RebalanceFault, scheduleFaults } from '../selection/next-version.ts'
import { proposalOfHash, targetOf } from './index-change.ts'
import type { Change, GovernanceState } from './proposal.ts'
import { versionOfContent } from './version-content.ts'

/**
 * Reports whether a change is the version that the schedule of its base makes: the same rules, from an instant of the schedule, and
 * neither an emergency nor a change whose impact runners have signed. The acts alone do not tell whether its constituents are those
 * that its rule selects: the service compares them with the published records before each step, and the audit does so again.
 */
export function isScheduledRebalance(state: GovernanceState, change: Omit<Change, 'rationale'>): boolean {
  const { kind, base_hash, impact_digest, emergency } = change
  if (kind !== 'index_version' || base_hash === null || impact_digest !== null || emergency !== null) return false
  return scheduledFaults(state, change)?.length === 0
}

/** Words of a message for each reason why a version is not a scheduled rebalance. */
const REASONS: Readonly<Record<RebalanceFault, string>> = {
  NO_SCHEDULE: 'the version in force has no schedule',
  OFF_SCHEDULE: 'its start is not on the schedule',
  RULES_CHANGED: 'its rules differ from those of the version in force',
  NOT_ANNOUNCED: 'no composition was announced for its start',
  ANNOUNCED_LATE: 'its composition was announced later than the notice allows',
  DIFFERS_FROM_ANNOUNCED: 'it differs from the announced composition',
  SELECTION_DIFFERS: 'its rule selects or weighs other constituents',
  REPLACED: 'another version was published in place of the announced composition',
}

/** Returns reasons as one part of a sentence. */
export function describeRebalanceFaults(faults: readonly RebalanceFault[]): string {
  return faults.map((fault) => `${REASONS[fault]} (${fault})`).join('; ')
}

/**
 * Refuses a version without an impact that has a schedule, or follows one that has, and is no scheduled rebalance: it says why.
 * @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED
 */
export function refuseUnscheduled(state: GovernanceState, change: Omit<Change, 'rationale'>): void {
  const faults = change.emergency === null ? scheduledFaults(state, change) : null
  if (faults === null || faults.length === 0) return
  throw notAllowed(
    'GOVERNANCE_IMPACT_REQUIRED',
    'impact_digest',
    `none, and the version is not a scheduled rebalance: ${describeRebalanceFaults(faults)}`,
    'the digest of an impact that two runners have signed',
  )
}

/**
 * Returns why the schedule of its base does not make a version, as far as the acts tell.
 * @returns null: neither of both has a schedule, or the base is unknown
 */
function scheduledFaults(
  state: GovernanceState,
  { kind, content, base_hash }: Pick<Change, 'kind' | 'content' | 'base_hash'>,
): readonly RebalanceFault[] | null {
  const before = proposalOfHash(state, targetOf(kind, content), base_hash)?.content ?? null
  if (before === null || !(hasSchedule(before) || hasSchedule(content))) return null
  if (!hasSchedule(before)) return ['NO_SCHEDULE']
  const is_same = (part: 'index' | 'methodology') => canonicalJson(before[part]) === canonicalJson(content[part])
  if (!hasSchedule(content) || !is_same('index') || !is_same('methodology')) return ['RULES_CHANGED']
  const [base, next] = [before, content].map((one) => versionOfContent(one).defined)
  return scheduleFaults({ base: base!.file, rebalance: base!.rebalance, file: next!.file })
}

function hasSchedule({ definition }: Change['content']): boolean {
  return isObject(definition) && isObject(definition.rebalance)
}

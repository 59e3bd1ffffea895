import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { scheduleFaults } from '../selection/next-version.ts'
import { proposalOfHash, targetOf } from './index-change.ts'
import type { Change, GovernanceState } from './proposal.ts'
import { versionOfContent } from './version-content.ts'

/**
 * Reports whether a change is the version that the schedule of its base makes: the same rules, from an instant of the schedule, and
 * neither an emergency nor a change whose impact runners have signed. The acts alone do not tell whether its constituents are those
 * that its rule selects: the service compares them with the published records before each step, and the audit does so again.
 */
export function isScheduledRebalance(state: GovernanceState, change: Omit<Change, 'rationale'>): boolean {
  const { kind, base_hash, content, impact_digest, emergency } = change
  if (kind !== 'index_version' || base_hash === null || impact_digest !== null || emergency !== null) return false
  const base = proposalOfHash(state, targetOf(kind, content), base_hash)
  return base !== null && followsSchedule(base.content, content)
}

function followsSchedule(before: Change['content'], after: Change['content']): boolean {
  if (!hasSchedule(before) || !hasSchedule(after)) return false
  const is_same = (part: 'index' | 'methodology') => canonicalJson(before[part]) === canonicalJson(after[part])
  if (!is_same('index') || !is_same('methodology')) return false
  const [base, next] = [before, after].map((content) => versionOfContent(content).defined)
  return scheduleFaults({ base: base!.file, rebalance: base!.rebalance, file: next!.file }).length === 0
}

function hasSchedule({ definition }: Change['content']): boolean {
  return isObject(definition) && isObject(definition.rebalance)
}

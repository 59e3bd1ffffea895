import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, type Micros, toMicros, utcDay } from '../../primitives/instants.ts'
import type { VersionFile } from '../index/definition-schema.ts'
import { isOnSchedule, type Rebalance } from './schedule.ts'

/**
 * Returns the version that a rebalance makes of another, before its constituents are selected: the same rules from another instant,
 * under the name of its day.
 */
export function rebalancedFile(base: VersionFile, effective_from: Micros): VersionFile {
  const { constituents: _of_base, approved_by: _by, approved_at: _at, ...rules } = base
  return {
    ...rules,
    version: utcDay(effective_from),
    effective_from: formatMicros(effective_from),
    change_summary: [`scheduled rebalance, from version ${base.version}`],
  }
}

/** A version as proposed or selected: its definition with constituents, and their weights in that order. */
type Composition = { readonly file: VersionFile; readonly weights: readonly string[] }

/** A proposed version, with everything that shows whether the schedule alone made it. */
export type ProposedRebalance = {
  readonly base: VersionFile
  /** Schedule of the base version; null: it has none. */
  readonly rebalance: Rebalance | null
  readonly proposed: Composition
  /** Frozen composition as announced; null: none was. */
  readonly announced: (Composition & { readonly published_at: Micros; readonly is_governed: boolean }) | null
  /** Composition as selected again from the facts of that instant. */
  readonly recomputed: Composition
  /** Time by which the announcement must precede the effect. */
  readonly lead: Micros
}

/** Reason why a version is not made by the schedule. */
export type RebalanceFault =
  | 'NO_SCHEDULE'
  | 'OFF_SCHEDULE'
  | 'RULES_CHANGED'
  | 'NOT_ANNOUNCED'
  | 'ANNOUNCED_LATE'
  | 'DIFFERS_FROM_ANNOUNCED'
  | 'SELECTION_DIFFERS'
  | 'REPLACED'

/** Returns why a proposed version is not a scheduled rebalance, in a fixed order; empty: it is one. */
export function rebalanceFaults(change: ProposedRebalance): readonly RebalanceFault[] {
  const { proposed, announced, recomputed, lead } = change
  const effective_from = toMicros(proposed.file.effective_from, 'effective_from')
  const faults: readonly (readonly [RebalanceFault, boolean])[] = [
    ['NOT_ANNOUNCED', announced === null],
    ['ANNOUNCED_LATE', announced !== null && announced.published_at + lead > effective_from],
    ['DIFFERS_FROM_ANNOUNCED', announced !== null && textOf(announced) !== textOf(proposed)],
    ['SELECTION_DIFFERS', textOf(recomputed) !== textOf(proposed)],
  ]
  return [...scheduleFaults({ ...change, file: proposed.file }), ...holding(faults)]
}

/** Returns why the rules of a version, without its constituents, are not those that the schedule of its base makes. */
export function scheduleFaults({
  base,
  rebalance,
  file,
}: Pick<ProposedRebalance, 'base' | 'rebalance'> & { readonly file: VersionFile }): readonly RebalanceFault[] {
  const effective_from = toMicros(file.effective_from, 'effective_from')
  return holding([
    ['NO_SCHEDULE', rebalance === null],
    ['OFF_SCHEDULE', rebalance !== null && !isOnSchedule(rebalance, effective_from)],
    ['RULES_CHANGED', rulesOf(file) !== rulesOf(rebalancedFile(base, effective_from))],
  ])
}

function holding(faults: readonly (readonly [RebalanceFault, boolean])[]): readonly RebalanceFault[] {
  return faults.filter(([, holds]) => holds).map(([fault]) => fault)
}

function rulesOf({ constituents: _, ...rules }: VersionFile): string {
  return canonicalJson(rules)
}

function textOf({ file, weights }: Composition): string {
  return canonicalJson({ file, weights })
}

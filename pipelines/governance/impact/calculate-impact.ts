import type { Decimal } from '../../../primitives/decimal.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { VersionClassName } from '../../../vocabulary/governance.ts'
import type { IndexSpec, IndexVersion, Leg } from '../../index/version.ts'
import type { Resolution } from '../../market/quote.ts'
import type { LevelConstituent } from '../../robustness/level-basis.ts'
import { differsInRules } from '../change-class.ts'
import { backTest } from './back-test.ts'
import { LevelComparison, type LineSink } from './compare-levels.ts'
import { compositionChange } from './composition-change.ts'
import type { ImpactDocument, MarginalEffect } from './impact-document.ts'
import { columnsIn, columnsOf, type LevelColumns, type ReplayedColumns } from './level-columns.ts'
import { missingInputs } from './missing-inputs.ts'
import { followedBy, ruledBy, warmUp } from './side-specs.ts'
import { singleChanges } from './single-changes.ts'

/** Two versions of an index, and ways to replay them with the same knowledge. */
export type ImpactInput = {
  /** Identity, unit and base value; its versions are not read. */
  readonly index: IndexSpec
  /** null: a new index. */
  readonly base: IndexVersion | null
  readonly next: IndexVersion
  readonly window: { readonly from: Micros; readonly to: Micros }
  /** Whether the window shows enough for a class below material. */
  readonly is_full_window: boolean
  /** Returns all ticks of a spec before an instant. */
  readonly replay: (spec: IndexSpec, to: Micros) => ReplayedColumns
  /** Returns the constituents of the tick at an instant, by a replay of a spec; null: there is no such tick. */
  readonly constituentsAt: (spec: IndexSpec, at: Micros) => readonly LevelConstituent[] | null
  readonly resolutionsOf: (leg: Leg) => readonly Resolution[]
  /** Receives the levels side by side. */
  readonly lines: LineSink
}

/** Part of a document that follows from the replays. */
export type CalculatedImpact = Pick<
  ImpactDocument,
  | 'linked_at'
  | 'change_class'
  | 'restate_bp'
  | 'levels_sha256'
  | 'levels'
  | 'composition'
  | 'changes'
  | 'missing_inputs'
  | 'back_test'
>

/**
 * Computes what a change would have done: both versions are replayed over the look-back window as if each had ruled there, the new one
 * linked to the base at the first tick at which it can be. Marks and outlier windows fill before the window.
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT: the new version cannot follow the base there
 */
export function calculateImpact(input: ImpactInput): CalculatedImpact {
  const { base, next, lines } = input
  const sides = replaySides(input)
  const comparison = new LevelComparison(lines)
  comparison.add(sides.before.columns, sides.after.columns)
  const composition = compositionChange(base, next)
  const restate_bp = base?.methodology.parameters.restate.bp.toFixed() ?? null
  return {
    linked_at: formatMicros(sides.linked_at),
    change_class: classOf(comparison, input.is_full_window ? base : null, next),
    restate_bp,
    levels_sha256: comparison.digest(),
    levels: comparison.result(),
    composition,
    changes: base === null ? [] : marginalEffects(input, base, sides),
    missing_inputs: {
      before: base === null ? null : missingInputs({ ...input, version: base, ...sides.before }),
      after: missingInputs({ ...input, version: next, ...sides.after }),
    },
    back_test: {
      before: base === null ? null : backTest(base, input),
      after: backTest(next, input),
    },
  }
}

/** Ticks of a side in the window, and its link factor. */
type Side = { readonly columns: LevelColumns; readonly link_factor: Decimal | null }

type Sides = {
  readonly before: Side
  readonly after: Side
  readonly before_spec: IndexSpec | null
  readonly linked_at: Micros
}

const NO_SIDE: Side = { columns: columnsOf([]), link_factor: null }

function replaySides({ index, base, next, window, replay }: ImpactInput): Sides {
  const from = window.from - warmUp(base === null ? [next] : [base, next])
  const ticks = (spec: IndexSpec): Side => {
    const replayed = replay(spec, window.to)
    return { columns: columnsIn(replayed, window), link_factor: replayed.link_factor }
  }
  if (base === null) {
    const after = ticks(ruledBy(index, next, from))
    return { before: NO_SIDE, after, before_spec: null, linked_at: from }
  }
  const before_spec = ruledBy(index, base, from)
  const before = ticks(before_spec)
  const followed = (linked_at: Micros): Sides => {
    const after = ticks(followedBy(before_spec, next, linked_at))
    return { before, after, before_spec, linked_at }
  }
  const linked_at = firstLevelOf(before.columns) ?? window.from
  const linked = linkedOrNull(() => followed(linked_at))
  if (linked !== null) return linked
  const later = firstLevelOf(before.columns, ticks(ruledBy(index, next, from)).columns)
  return followed(later ?? linked_at)
}

/** Returns the result of a replay; null: a version cannot be linked where it begins, as while its markets have no price. */
function linkedOrNull<R>(replayed: () => R): R | null {
  try {
    return replayed()
  } catch (error) {
    if (isServiceError(error) && UNLINKED.includes(error.code)) return null
    throw error
  }
}

const UNLINKED: readonly string[] = ['INDEX_LINK_UNSTABLE', 'INDEX_GEARING_LIMIT']

/** Returns the first tick at which every series has a level. */
function firstLevelOf({ level, tick_at }: LevelColumns, other: LevelColumns | null = null): Micros | null {
  const others = other === null ? null : new Set(other.tick_at.filter((_, i) => !Number.isNaN(other.level[i])))
  const at = level.findIndex((units, i) => !Number.isNaN(units) && (others === null || others.has(tick_at[i]!)))
  return at < 0 ? null : tick_at[at]!
}

/** Returns the class of a change. @param base null: nothing shows that the change is small */
function classOf(comparison: LevelComparison, base: IndexVersion | null, next: IndexVersion): VersionClassName {
  if (base === null) return 'material'
  if (comparison.isIdentical() && !differsInRules(base, next)) return 'text'
  return comparison.isBelow(base.methodology.parameters.restate.bp.toFixed()) ? 'parameter' : 'material'
}

function marginalEffects(input: ImpactInput, base: IndexVersion, sides: Sides): ImpactDocument['changes'] {
  const changes = singleChanges(base, input.next)
  return changes.map(({ version, ...change }) => {
    // A change that is the only one has the effect of the whole.
    if (changes.length === 1) return { ...change, effect: effectOf(sides.before.columns, sides.after.columns) }
    return { ...change, effect: version === null ? null : effectOfVersion(input, version, sides) }
  })
}

function effectOfVersion({ window, replay }: ImpactInput, version: IndexVersion, sides: Sides): MarginalEffect | null {
  const spec = followedBy(sides.before_spec!, version, sides.linked_at)
  return linkedOrNull(() => effectOf(sides.before.columns, columnsIn(replay(spec, window.to), window)))
}

function effectOf(before: LevelColumns, after: LevelColumns): MarginalEffect {
  const comparison = new LevelComparison(null)
  comparison.add(before, after)
  const { ticks, absolute_basis_points } = comparison.result()
  const one_sided = ticks.only_before + ticks.only_after
  return {
    ticks_different: ticks.different_level + one_sided,
    states_different: ticks.different_state,
    median_bp: absolute_basis_points?.p50 ?? null,
    largest_bp: absolute_basis_points?.highest ?? null,
  }
}

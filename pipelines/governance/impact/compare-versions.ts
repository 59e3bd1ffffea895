import type { Decimal, DecimalString } from '../../../primitives/decimal.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import type { VersionClassName } from '../../../vocabulary/governance.ts'
import type { IndexSpec, IndexVersion } from '../../index/version.ts'
import { differsInRules } from '../change-class.ts'
import { LevelComparison, type LevelDifferences, type LineSink } from './compare-levels.ts'
import { columnsIn, columnsOf, type LevelColumns, type ReplayedColumns } from './level-columns.ts'
import { followedBy, ruledBy, warmUp } from './side-specs.ts'

/** Two versions of an index, and a way to replay them with the same knowledge. */
export type VersionPair = {
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
  /** Receives the levels side by side. */
  readonly lines: LineSink
}

/** Levels of two versions side by side. */
export type VersionComparison = {
  /** Instant from which the new version rules in its replay. */
  readonly linked_at: Instant
  readonly change_class: VersionClassName
  /** Threshold of the base's methodology that the class goes by, in basis points; null: a new index. */
  readonly restate_bp: DecimalString | null
  /** SHA-256 of the data: levels.csv. */
  readonly levels_sha256: string
  readonly levels: LevelDifferences
}

/** Ticks of a side in the window, and its link factor. */
type Side = { readonly columns: LevelColumns; readonly link_factor: Decimal | null }

export type Sides = {
  readonly before: Side
  readonly after: Side
  readonly before_spec: IndexSpec | null
  readonly linked_at: Micros
}

const NO_SIDE: Side = { columns: columnsOf([]), link_factor: null }

/**
 * Replays both versions over the look-back window as if each had ruled there, the new one linked to the base at the first tick at
 * which it can be. Marks and outlier windows fill before the window.
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT: the new version cannot follow the base there
 */
export function replaySides({ index, base, next, window, replay }: VersionPair): Sides {
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

/** Compares the replayed sides tick by tick. */
export function compareSides({ base, next, is_full_window, lines }: VersionPair, sides: Sides): VersionComparison {
  const comparison = new LevelComparison(lines)
  comparison.add(sides.before.columns, sides.after.columns)
  return {
    linked_at: formatMicros(sides.linked_at),
    change_class: classOf(comparison, is_full_window ? base : null, next),
    restate_bp: base?.methodology.parameters.restate.bp.toFixed() ?? null,
    levels_sha256: comparison.digest(),
    levels: comparison.result(),
  }
}

/** Returns the result of a replay; null: a version cannot be linked where it begins, as while its markets have no price. */
export function linkedOrNull<R>(replayed: () => R): R | null {
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

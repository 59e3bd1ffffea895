import type { Decimal } from '../../primitives/decimal.ts'
import { VERSION_CLASSES, type VersionClassName } from '../../vocabulary/governance.ts'
import { basisPoints, formatBasisPoints } from '../index/correction.ts'
import { compositionDifferences, settingDifferences } from '../index/definition-difference.ts'
import type { IndexVersion } from '../index/version.ts'

/** Level of one tick by the version in force, and by the proposed one; undefined: that side has no such tick. */
export type TickPair = {
  readonly before: { readonly level: string | null; readonly quality_state: string } | undefined
  readonly after: { readonly level: string | null; readonly quality_state: string } | undefined
}

/** Class of a change of a version, with what decided it. */
export type VersionClass = {
  readonly change_class: VersionClassName
  readonly ticks: number
  readonly differing: number
  /** Largest difference in basis points; null: no tick has a ratio. */
  readonly basis_points_max: string | null
}

/**
 * Returns the class of a change of a version.
 *   text       no rule or constituent differs, and every replayed level and state is the same
 *   parameter  every replayed level differs by less than `restate.bp`
 *   material   anything else, also if nothing could be replayed
 * A rule that the window never used still differs: such a change is not of text.
 * @param differs whether the definitions differ in a rule, a constituent or a weight
 */
export function classOfTicks(ticks: Iterable<TickPair>, differs: boolean, threshold: Decimal): VersionClass {
  const count = { ticks: 0, differing: 0 }
  let largest: { e: Decimal; text: string | null } | null = null
  let is_small = true
  for (const { before, after } of ticks) {
    count.ticks += 1
    const [left, right] = [before?.level ?? null, after?.level ?? null]
    const is_same = before !== undefined && after !== undefined && left === right
    if (is_same && before.quality_state === after.quality_state) continue
    count.differing += 1
    if (is_same) continue
    const e = basisPoints(left, right)
    if (e === null || e.gte(threshold)) is_small = false
    if (e !== null && (largest === null || e.gt(largest.e))) largest = { e, text: formatBasisPoints(left, right) }
  }
  const is_text = count.differing === 0 && !differs
  const change_class = is_text ? 'text' : is_small && count.ticks > 0 ? 'parameter' : 'material'
  return { change_class, ...count, basis_points_max: largest?.text ?? null }
}

/** Settings that name a methodology; they differ without any other rule. */
const NAMING = ['methodology', 'content_hash']

/** Reports whether two versions differ in a rule, a constituent or a weight; rules that compose the next version count. */
export function differsInRules(before: IndexVersion, after: IndexVersion): boolean {
  const settings = settingDifferences([before], [after]).filter(({ name }) => !NAMING.includes(name))
  return settings.length > 0 || compositionDifferences([before], [after]).length > 0
}

/** Reports whether a class needs more than another. */
export function isStricter(a: VersionClassName, b: VersionClassName): boolean {
  return VERSION_CLASSES.indexOf(a) > VERSION_CLASSES.indexOf(b)
}

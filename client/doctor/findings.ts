import { isObject } from '../../primitives/canonical-json.ts'
import { countValues, firstUnequal, sameNumber } from './compare.ts'
import type { Difference, Side } from './difference.ts'

/** Differences kept per check, and of one field; all are counted. */
const KEPT_MAX = 12
const KEPT_OF_FIELD = 3

/** Collects what one check compared and found. */
export type Findings = {
  /** Compares two JSON values field by field; a refusal is `{ code }`, and is compared with an answer as a whole. @returns whether they are equal */
  equal(first: Side, second: Side, ignored?: ReadonlySet<string>, prefix?: string): boolean
  /** Compares two decimals, or other scalars, by value. @returns whether they are equal */
  same(field: string, first: Side, second: Side): boolean
  /** Records a comparison that was made elsewhere. @returns `holds` */
  holds(holds: boolean, field: string, first: Side, second: Side): boolean
  /** Records something published before the rule existed, which cannot change any more. */
  legacy(what: string): void
  /** Records a part of the check that the deployment does not offer. */
  lacks(what: string): void
  result(): Found
}

export type Found = {
  readonly compared: number
  readonly different: number
  readonly differences: readonly Difference[]
  readonly legacy: Readonly<Record<string, number>>
  readonly not_offered: readonly string[]
}

/** Returns a field without the ordinals in it. */
function fieldName(field: string): string {
  return field.replace(/\d+/g, '#')
}

/** Returns the code of a side that shows a refusal; null: it shows an answer. */
function refusalOf({ value }: Side): string | null {
  return isObject(value) && Object.keys(value).length === 1 && typeof value.code === 'string' ? value.code : null
}

/** Begins the findings of one run: none compared, none found. */
export function createFindings(): Findings {
  let compared = 0
  let different = 0
  const differences: Difference[] = []
  const legacy = new Map<string, number>()
  const lacking = new Set<string>()
  const differs = (field: string, first: Side, second: Side): false => {
    different += 1
    const alike = differences.filter((one) => fieldName(one.field) === fieldName(field)).length
    if (differences.length < KEPT_MAX && alike < KEPT_OF_FIELD) differences.push({ field, first, second })
    return false
  }
  const holds = (holds: boolean, field: string, first: Side, second: Side): boolean => {
    compared += 1
    return holds || differs(field, first, second)
  }
  return {
    equal(first, second, ignored, prefix = '') {
      const [one, other] = [refusalOf(first), refusalOf(second)]
      if (one !== other)
        return holds(false, 'error.code', { ...first, value: one ?? 'none' }, { ...second, value: other ?? 'none' })
      compared += countValues(first.value)
      const found = firstUnequal(first.value, second.value, ignored, prefix)
      if (found === null) return true
      return differs(
        found.field,
        { request: first.request, value: found.first },
        { request: second.request, value: found.second },
      )
    },
    same: (field, first, second) => holds(sameNumber(first.value, second.value), field, first, second),
    holds,
    legacy: (what) => {
      legacy.set(what, (legacy.get(what) ?? 0) + 1)
    },
    lacks: (what) => {
      lacking.add(what)
    },
    result: () => ({ compared, different, differences, legacy: Object.fromEntries(legacy), not_offered: [...lacking] }),
  }
}

import { formatDecimal, ONE, parseDecimal, roundDecimal, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import type { ConstituentFile, VersionFile } from '../index/definition-schema.ts'
import { type ConstituentEligibility, changedFacts } from './drift.ts'

/** Most constituents that a rationale describes; it has a greatest length. */
const DESCRIBED_MAX = 20

/** Returns why constituents are to leave an index: the reasons and the facts that changed since each was selected. */
export function driftRationale(
  policy: { readonly policy_id: string; readonly policy_version: number },
  constituents: readonly ConstituentEligibility[],
): readonly string[] {
  const gone = constituents.filter(({ status }) => status === 'ineligible')
  const described = gone.slice(0, DESCRIBED_MAX).map((one) => {
    const facts = changedFacts(one).map(({ fact, at_selection, now }) => `; ${fact} was ${at_selection}, is ${now}`)
    const reasons = one.reason_codes.join(', ')
    const by = `${policy.policy_id} version ${policy.policy_version}`
    return `removes ${one.constituent_id} (${one.market_id}), ineligible by ${by}: ${reasons}${facts.join('')}`
  })
  const rest = gone.length - described.length
  return rest === 0 ? described : [...described, `removes ${rest} more for the same policy`]
}

/** Returns the first free name of a version that drift drafts on a day: a draft by another's name could not be adopted. */
export function driftVersionName(day: string, taken: ReadonlySet<string>): string {
  const name = `${day}-drift`
  for (let n = 1; ; n += 1) {
    const one = n === 1 ? name : `${name}-${n}`
    if (!taken.has(one)) return one
  }
}

/**
 * Returns the version that follows another without some of its constituents. One that selects them selects anew; of listed ones the
 * others keep their proportions.
 */
export function withoutDrifted(
  base: VersionFile,
  removed: ReadonlySet<string>,
  named: Pick<VersionFile, 'version' | 'effective_from' | 'change_summary'>,
): VersionFile {
  const { constituents = [], approved_by: _by, approved_at: _at, ...rules } = base
  const next = { ...rules, ...named }
  if (base.selection !== undefined) return next
  return { ...next, constituents: inProportion(constituents.filter((one) => !removed.has(one.constituent_id))) }
}

/** Scales the stated weights so that they sum to exactly 1; the largest takes what rounding leaves. */
function inProportion(constituents: readonly ConstituentFile[]): ConstituentFile[] {
  const stated = constituents.map(({ target_weight }) => target_weight)
  if (stated.some((weight) => weight === undefined)) return [...constituents]
  const weights = stated.map((weight) => parseDecimal(weight, 'target_weight'))
  const sum = sumDecimals(weights)
  const scaled = weights.map((weight) => roundDecimal(weight.div(sum), SCALE.weight))
  const largest = scaled.reduce((best, weight, i) => (weight.gt(scaled[best]!) ? i : best), 0)
  const rest = ONE.minus(sumDecimals(scaled))
  return constituents.map((one, i) => {
    const weight = i === largest ? scaled[i]!.plus(rest) : scaled[i]!
    return { ...one, target_weight: formatDecimal(weight, SCALE.weight) }
  })
}

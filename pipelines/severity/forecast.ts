import {
  type Decimal,
  type DecimalString,
  formatDecimal,
  ONE,
  parseDecimal,
  sumDecimals,
  ZERO,
} from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { SCORED_LEVELS, type ScoredLevel } from '../../vocabulary/severity.ts'
import { levelOf } from './assess.ts'
import { SEVERITY_SCALE, type SeverityParameters } from './methodology.ts'

/** One scenario of an event: its probability, and the score of its components. */
export type Scenario = { readonly probability: DecimalString; readonly score: DecimalString }

/** A forecast assessment; never merged with observed ones. */
export type Forecast = {
  readonly score: DecimalString
  readonly score_range: { readonly low: DecimalString; readonly high: DecimalString }
  readonly level: ScoredLevel
  /** P(level >= k) for k = 1 to 5, 6 fraction digits. */
  readonly exceedance: Readonly<Record<string, DecimalString>>
}

/**
 * Returns the mean of the scenarios' scores, their 10 % and 90 % quantiles, and the probability of each level or worse.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID: a probability outside (0, 1], or a sum that is not exactly 1
 */
export function forecast(scenarios: readonly Scenario[], parameters: SeverityParameters): Forecast {
  const cases = checked(scenarios)
  const score = formatDecimal(sumDecimals(cases.map(({ p, s }) => p.times(s))), SEVERITY_SCALE)
  return {
    score,
    score_range: { low: quantile(cases, '0.1'), high: quantile(cases, '0.9') },
    level: levelOf(score, parameters),
    exceedance: Object.fromEntries(
      SCORED_LEVELS.slice(1).map((level) => [level, formatDecimal(exceeding(cases, level, parameters), 6)]),
    ),
  }
}

/**
 * Returns the continuous ranked probability score: sum p|S - y| - half the sum of p p'|S - S'|; 0 is perfect.
 * @param observed the actual score
 */
export function crps(scenarios: readonly Scenario[], observed: DecimalString): DecimalString {
  const cases = checked(scenarios)
  const y = parseDecimal(observed, 'observed')
  const distance = sumDecimals(cases.map(({ p, s }) => p.times(s.minus(y).abs())))
  const pairs = cases.flatMap((a) => cases.map((b) => a.p.times(b.p).times(a.s.minus(b.s).abs())))
  return formatDecimal(distance.minus(sumDecimals(pairs).div(2)), 4)
}

/** Returns the Brier score of "this level or worse": (p - outcome)^2. */
export function brier(
  scenarios: readonly Scenario[],
  level: ScoredLevel,
  observed: DecimalString,
  parameters: SeverityParameters,
): DecimalString {
  const p = exceeding(checked(scenarios), level, parameters)
  const outcome = isAtLeast(levelOf(observed, parameters), level) ? ONE : ZERO
  return formatDecimal(p.minus(outcome).pow(2), 4)
}

type Case = { readonly p: Decimal; readonly s: Decimal; readonly text: DecimalString }

function checked(scenarios: readonly Scenario[]): Case[] {
  const cases = scenarios.map(({ probability, score }) => {
    const p = parseDecimal(probability, 'probability')
    if (p.lte(0) || p.gt(1))
      throw notAllowed('VALIDATION_RANGE_INVALID', 'probability', probability, 'above 0 and at most 1')
    return { p, s: parseDecimal(score, 'score'), text: score }
  })
  const sum = sumDecimals(cases.map(({ p }) => p))
  if (!sum.eq(ONE))
    throw notAllowed('VALIDATION_RANGE_INVALID', 'scenarios', `${sum} in all`, 'probabilities that sum to exactly 1')
  return cases
}

/** Returns the smallest score with a cumulative probability of at least `share`. */
function quantile(cases: readonly Case[], share: DecimalString): DecimalString {
  let sum = ZERO
  const sorted = cases.toSorted((a, b) => a.s.cmp(b.s))
  for (const { p, s } of sorted) {
    sum = sum.plus(p)
    if (sum.gte(share)) return formatDecimal(s, SEVERITY_SCALE)
  }
  return formatDecimal(sorted.at(-1)!.s, SEVERITY_SCALE)
}

function exceeding(cases: readonly Case[], level: ScoredLevel, parameters: SeverityParameters): Decimal {
  return sumDecimals(cases.filter(({ text }) => isAtLeast(levelOf(text, parameters), level)).map(({ p }) => p))
}

function isAtLeast(a: ScoredLevel, b: ScoredLevel): boolean {
  return SCORED_LEVELS.indexOf(a) >= SCORED_LEVELS.indexOf(b)
}

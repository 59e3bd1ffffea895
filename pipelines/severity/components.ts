import { Decimal, type DecimalString, formatDecimal, parseDecimal, ZERO } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { SEVERITY_SCALE } from './methodology.ts'

/** Published components from measured quantities (methodology severity-1 §3). Quantities are decimals of 0 or more. */

const HUNDRED = new Decimal(100)
const POINTS_A_DECADE = 16

/** Returns 16 points for `unit`, 32 for ten times as much. A verified zero scores 0. At most 100. */
export function logScale(quantity: Decimal, unit: number): Decimal {
  if (quantity.isZero()) return ZERO
  const points = quantity.div(unit).log(10).plus(1).times(POINTS_A_DECADE)
  return Decimal.min(HUNDRED, Decimal.max(ZERO, points))
}

export type HumanImpact = {
  readonly deaths_or_missing: DecimalString
  readonly seriously_injured: DecimalString
  readonly displaced: DecimalString
}

/** Returns deaths + 0.4 injuries + 0.01 displacements: ratios 20 : 50 : 2000, a stated choice of values. */
export function humanCount(impact: HumanImpact): Decimal {
  const injured = quantity(impact.seriously_injured, 'seriously_injured').times('0.4')
  const displaced = quantity(impact.displaced, 'displaced').times('0.01')
  return quantity(impact.deaths_or_missing, 'deaths_or_missing').plus(injured).plus(displaced)
}

/** Returns the human component of a count given by `humanCount`. */
export function human(count: Decimal): DecimalString {
  return published(logScale(count, 1))
}

/** Returns the worse of the loss and its share of the country's product. @param gdp_share in [0, 1]; null: unknown */
export function economic(loss_usd_millions: DecimalString, gdp_share: DecimalString | null): DecimalString {
  const absolute = logScale(quantity(loss_usd_millions, 'loss_usd_millions'), 1)
  if (gdp_share === null) return published(absolute)
  return published(Decimal.max(absolute, logScale(quantity(gdp_share, 'gdp_share').times(10_000), 1)))
}

/** Scores person-hours without an essential service; 100,000 score 16. */
export function infrastructure(person_hours: DecimalString): DecimalString {
  return published(logScale(quantity(person_hours, 'person_hours'), 100_000))
}

/** Scores people exposed; 10,000 score 16. Each further country adds 5, at most 15. */
export function geographic(people_exposed: DecimalString, countries: number): DecimalString {
  const further = Math.min(15, 5 * Math.max(0, countries - 1))
  return published(Decimal.min(HUNDRED, logScale(quantity(people_exposed, 'people_exposed'), 10_000).plus(further)))
}

/**
 * Steps of the rubric: 0, 20 protest or recall, 40 sanctions or force movements, 60 armed clash or state emergency, 80
 * interstate war, 100 multi-state war or mass-casualty weapon.
 */
const GEOPOLITICAL_STEPS = ['0', '20', '40', '60', '80', '100'] as const

/** Returns a step of the rubric as a component. @throws {ServiceError} VALIDATION_RANGE_INVALID */
export function geopolitical(step: DecimalString): DecimalString {
  if ((GEOPOLITICAL_STEPS as readonly string[]).includes(step)) return published(new Decimal(step))
  throw new ServiceError(
    'VALIDATION_RANGE_INVALID',
    `geopolitical is ${step}; allowed: ${GEOPOLITICAL_STEPS.join(', ')}`,
    { field: 'geopolitical', value: step },
  )
}

/** Scores days of disruption; one scores 16. */
export function duration(days: DecimalString): DecimalString {
  return published(logScale(quantity(days, 'days'), 1))
}

function quantity(text: DecimalString, field: string): Decimal {
  const value = parseDecimal(text, field)
  if (!value.isNegative()) return value
  throw new ServiceError('VALIDATION_RANGE_INVALID', `${field} is ${text}; allowed: 0 or more`, { field, value: text })
}

function published(value: Decimal): DecimalString {
  return formatDecimal(value, SEVERITY_SCALE)
}

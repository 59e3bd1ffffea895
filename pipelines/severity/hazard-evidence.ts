import { Decimal, type DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'
import type { SeverityComponent } from '../../vocabulary/severity.ts'
import type { HazardRecord } from '../venues/record.ts'
import { duration, economic, geographic, human } from './components.ts'

/** Evidence of one alert for one component: published values, and the tier of its source. */
export type ComponentEvidence = {
  readonly component: SeverityComponent
  readonly tier: EvidenceTier
  readonly value: DecimalString
  readonly low: DecimalString
  readonly high: DecimalString
}

type Bin = readonly [value: number | string, low: number, high: number]

/**
 * PAGER's summary alert is the worse of deaths and losses in millions of USD: either may be the reason, so both get the bin,
 * and neither is known to be above 0. The values are the bins' geometric middles.
 */
const PAGER: Readonly<Record<string, Bin>> = {
  green: ['0.3', 0, 1],
  yellow: ['10', 0, 100],
  orange: ['316', 0, 1000],
  red: ['3162', 0, 10_000],
}

/** GDACS's alert level as a count of people hurt; orange is no PAGER yellow. */
const GDACS: Readonly<Record<string, Bin>> = {
  green: ['0.3', 0, 1],
  orange: ['31.6', 1, 1000],
  red: ['1000', 100, 100_000],
}

/** Units of GDACS's population value that count people. */
const COUNTS_PEOPLE = /^pop(ulation in \d+km|\d+)$/i

/**
 * Returns the evidence of an alert for an event's components. Components that it does not mention are missing: no alert is no
 * zero, and a population without a unit counts no people.
 * @param cutoff an ongoing event has lasted until then
 */
export function hazardEvidence(record: HazardRecord, cutoff: Micros): ComponentEvidence[] {
  const of_source = record.venue_id === 'usgs' ? pagerEvidence(record) : gdacsEvidence(record)
  return [...of_source, ...exposure(record), ...days(record, cutoff)]
}

/**
 * Returns the part of an alert that can be news. Dates that move with every refresh are left out: two records with the same key
 * belong to one assessment.
 */
export function newsKey(record: HazardRecord): string {
  const { alert_level, alert_score, episode_alert_level, severity_value, severity_unit } = record
  const { population_value, population_unit, countries } = record
  return JSON.stringify([
    alert_level,
    alert_score,
    episode_alert_level,
    severity_value,
    severity_unit,
    population_value,
    population_unit,
    countries,
  ])
}

function pagerEvidence({ alert_level }: HazardRecord): ComponentEvidence[] {
  const bin = alert_level === null ? undefined : PAGER[alert_level]
  if (bin === undefined) return []
  const of = (component: 'human' | 'economic', score: (x: Decimal) => DecimalString) =>
    spread(component, 'A', bin, score)
  return [of('human', human), of('economic', (x) => economic(x.toFixed(), null))]
}

function gdacsEvidence({ alert_level }: HazardRecord): ComponentEvidence[] {
  const bin = alert_level === null ? undefined : GDACS[alert_level]
  return bin === undefined ? [] : [spread('human', 'B', bin, human)]
}

function exposure({ population_value, population_unit, countries, venue_id }: HazardRecord): ComponentEvidence[] {
  if (population_value === null || population_unit === null || !COUNTS_PEOPLE.test(population_unit)) return []
  const value = geographic(population_value, countries.length)
  return [{ component: 'geographic', tier: venue_id === 'usgs' ? 'A' : 'B', value, low: value, high: value }]
}

const DAY: Micros = 86_400_000_000

/** Returns the duration evidence of an event. An earthquake is over at once: a current alert says nothing about a disruption. */
function days(record: HazardRecord, cutoff: Micros): ComponentEvidence[] {
  const { hazard_type, started_at, ended_at, is_current, venue_id } = record
  if (hazard_type === 'earthquake') return []
  const until = is_current === true ? cutoff : ended_at
  if (until === null || until <= started_at) return []
  const value = duration(new Decimal(until - started_at).div(DAY).toFixed())
  return [{ component: 'duration', tier: venue_id === 'usgs' ? 'A' : 'B', value, low: value, high: value }]
}

function spread(
  component: SeverityComponent,
  tier: EvidenceTier,
  [value, low, high]: Bin,
  score: (x: Decimal) => DecimalString,
): ComponentEvidence {
  const of = (x: number | string) => score(new Decimal(x))
  return { component, tier, value: of(value), low: of(low), high: of(high) }
}

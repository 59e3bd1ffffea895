import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { plainDecimal } from '../text/fields.ts'
import type { HazardRecord } from './record.ts'

/**
 * Returns the facts of a hazard record in one canonical text: two records of one event with equal facts are one statement read
 * twice. Facts are episode, alert levels and scores, severity, population, vulnerability, place, countries, review, start and
 * end, other ids and measures. The times of writing and reading are not: feeds rewrite records of lasting events every few
 * minutes. Nor are titles and addresses, nor whether an event is current, which time decides.
 */
export function hazardFacts(record: HazardRecord): string {
  return canonicalJson({
    hazard_type: record.hazard_type,
    source_version_id: record.source_version_id,
    aliases: [...record.aliases].sort(),
    alert_level: record.alert_level,
    alert_score: plain(record.alert_score),
    episode_alert_level: record.episode_alert_level,
    severity_value: plain(record.severity_value),
    severity_unit: record.severity_unit?.toLowerCase() ?? null,
    population_value: plain(record.population_value),
    population_unit: record.population_unit,
    vulnerability_value: plain(record.vulnerability_value),
    countries: [...record.countries].sort(),
    place: [plain(record.longitude), plain(record.latitude), plain(record.depth_km)],
    review_status: record.review_status,
    is_temporary: record.is_temporary,
    started_at: record.started_at,
    ended_at: record.ended_at,
    measures: Object.fromEntries(Object.entries(record.measures).map(([name, value]) => [name, plain(value)])),
  })
}

function plain(value: DecimalString | null): DecimalString | null {
  return value === null ? null : plainDecimal(value)
}

import type { Micros } from '../../../primitives/instants.ts'
import { required } from '../../text/fields.ts'
import { idField, optionalText, requiredText } from '../../text/json-fields.ts'
import { type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { alertLevel, optionalDegrees, optionalMeasure } from '../hazard-fields.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { HazardRecord } from '../record.ts'
import { CLOCK_AHEAD_MAX, optionalSourceMillis } from '../source-times.ts'

/** Measured values beside the magnitude. `sig` is a rank of the feed, not a severity. */
const MEASURES = ['cdi', 'felt', 'mmi', 'sig', 'tsunami'] as const

const KINDS = new Map<string, HazardRecord['hazard_type']>([
  ['earthquake', 'earthquake'],
  ['volcanic eruption', 'volcano'],
])

/**
 * Reads one feature of a summary feed. `alert` is the PAGER estimate of losses: null means that none was made. `updated` moves
 * for weeks after the event.
 * @throws Quarantined MISSING_FIELD, BAD_TEXT, BAD_ID, BAD_DATE, BAD_VALUE, BAD_FLAG, UNKNOWN_SHAPE, SOURCE_AFTER_RECEIVED
 */
export function hazardOfFeature(feature: JsonTextObject, origin: PayloadOrigin, received_at: Micros): HazardRecord {
  const properties = objectOf(feature.properties)
  const id = idField(feature, 'id')
  const magnitude = optionalMeasure(properties, 'mag')
  const instant = (field: string) =>
    required(optionalSourceMillis(properties, field, received_at, CLOCK_AHEAD_MAX.usgs))
  const [started_at, source_at] = [instant('time'), instant('updated')]
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'usgs',
    source_event_id: id,
    source_version_id: null,
    aliases: aliasesOf(optionalText(properties, 'ids'), id),
    hazard_type: KINDS.get(optionalText(properties, 'type') ?? '') ?? 'other',
    title: requiredText(properties, 'title'),
    alert_level: alertLevel(optionalText(properties, 'alert')),
    alert_score: null,
    episode_alert_level: null,
    severity_value: magnitude,
    severity_unit: magnitude === null ? null : optionalText(properties, 'magType'),
    population_value: null,
    population_unit: null,
    vulnerability_value: null,
    countries: [],
    ...pointOf(feature),
    review_status: optionalText(properties, 'status')?.toLowerCase() ?? null,
    is_current: null,
    is_temporary: null,
    started_at,
    ended_at: null,
    is_clock_ahead: started_at > received_at || source_at > received_at,
    measures: measuresOf(properties),
    source_url: optionalText(properties, 'url'),
    source_at,
    received_at,
  }
}

/** Splits `,usc000njrq,gcmt20140321134107,` without the empty ends and the event's own id. */
function aliasesOf(ids: string | null, own: string): readonly string[] {
  return (ids ?? '').split(',').filter((id) => id !== '' && id !== own)
}

/** Reads longitude, latitude and depth in km, in this order; null if the feed gives no point. */
function pointOf(feature: JsonTextObject): Pick<HazardRecord, 'longitude' | 'latitude' | 'depth_km'> {
  const geometry = feature.geometry === undefined || feature.geometry === null ? {} : objectOf(feature.geometry)
  const [longitude, latitude, depth_km] = listOf(geometry.coordinates)
  const coordinates = { longitude, latitude, depth_km }
  return {
    longitude: optionalDegrees(coordinates, 'longitude', 180),
    latitude: optionalDegrees(coordinates, 'latitude', 90),
    depth_km: optionalMeasure(coordinates, 'depth_km'),
  }
}

/** Reads the measures of a feature: one that was not computed is absent, while a computed zero counts. */
function measuresOf(properties: JsonTextObject): HazardRecord['measures'] {
  const given = MEASURES.map((name) => [name, optionalMeasure(properties, name)] as const)
  return Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

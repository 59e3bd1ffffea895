import type { Micros } from '../../../primitives/instants.ts'
import { idField, optionalIdField, optionalText, requiredText } from '../../text/json-fields.ts'
import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { alertLevel, optionalDegrees, optionalMeasure } from '../hazard-fields.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { HazardRecord } from '../record.ts'
import { CLOCK_AHEAD_MAX, sourceTime } from '../source-times.ts'
import { rfc822Micros } from './rfc822-instant.ts'

const AHEAD = CLOCK_AHEAD_MAX.gdacs

type HazardType = HazardRecord['hazard_type']

const HAZARDS = new Map<string, HazardType>([
  ['EQ', 'earthquake'],
  ['TC', 'tropical_cyclone'],
  ['FL', 'flood'],
  ['VO', 'volcano'],
  ['DR', 'drought'],
  ['WF', 'wildfire'],
])

/** Hazards whose pubDate is the time of a bulletin. For all others it is the time the feed was last written. */
const HAVE_BULLETINS: readonly HazardType[] = ['earthquake', 'tropical_cyclone', 'volcano']

/**
 * Reads one item of the feed. The event is eventtype and eventid together, its version the episode; an episode's alert level
 * can differ from its event's. The feed rewrites items of lasting events every few minutes with the current time as pubDate and
 * todate, so neither describes the event: such an item is dated by its start, and a todate equal to pubDate is not an end. Nor
 * is one equal to the start, as for earthquakes: it has no duration, and would look like an end when pubDate alone moves.
 * @throws Quarantined MISSING_FIELD, BAD_TEXT, BAD_ID, BAD_DATE, BAD_VALUE, BAD_FLAG, UNKNOWN_SHAPE, SOURCE_AFTER_RECEIVED
 */
export function hazardOfItem(element: JsonTextObject, origin: PayloadOrigin, received_at: Micros): HazardRecord {
  const item = textsOf(element)
  const type = idField(item, 'gdacs:eventtype')
  const hazard_type = HAZARDS.get(type) ?? 'other'
  const started_at = sourceTime(instantOf(item, 'gdacs:fromdate'), received_at, AHEAD)
  const published_at = instantOf(item, 'pubDate')
  const until = instantOf(item, 'gdacs:todate')
  const ended_at =
    until === null || until === published_at || until === started_at ? null : sourceTime(until, received_at, AHEAD)
  const has_bulletin = HAVE_BULLETINS.includes(hazard_type)
  const source_at = has_bulletin ? sourceTime(published_at ?? started_at, received_at, AHEAD) : started_at
  const glide = optionalIdField(item, 'gdacs:glide')
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'gdacs',
    source_event_id: `${type}${idField(item, 'gdacs:eventid')}`,
    source_version_id: optionalIdField(item, 'gdacs:episodeid'),
    aliases: glide === null ? [] : [glide],
    hazard_type,
    title: requiredText(item, 'title'),
    alert_level: alertLevel(optionalText(item, 'gdacs:alertlevel')),
    alert_score: optionalMeasure(item, 'gdacs:alertscore'),
    episode_alert_level: alertLevel(optionalText(item, 'gdacs:episodealertlevel')),
    ...quantitiesOf(element),
    countries: (optionalText(item, 'gdacs:country') ?? '').split(/\s*,\s*/).filter((name) => name !== ''),
    ...pointOf(element),
    review_status: null,
    is_current: flagOf(item, 'gdacs:iscurrent'),
    is_temporary: flagOf(item, 'gdacs:temporary'),
    started_at,
    ended_at,
    is_clock_ahead: [started_at, ended_at ?? started_at, source_at].some((micros) => micros > received_at),
    measures: {},
    source_url: optionalText(item, 'link'),
    source_at,
    received_at,
  }
}

/** Reads severity, population and vulnerability: each a value, a unit that decides its meaning, and words. */
function quantitiesOf(element: JsonTextObject) {
  const severity = quantityOf(element, 'gdacs:severity')
  const population = quantityOf(element, 'gdacs:population')
  return {
    severity_value: severity.value,
    severity_unit: severity.unit,
    population_value: population.value,
    population_unit: population.unit,
    vulnerability_value: quantityOf(element, 'gdacs:vulnerability').value,
  }
}

/** Reads one quantity. A zero with neither unit nor words means that nothing was measured. */
function quantityOf(element: JsonTextObject, name: string) {
  const given = element[name]
  const quantity =
    given === undefined || given === '' ? {} : typeof given === 'string' ? { '#text': given } : objectOf(given)
  const value = optionalMeasure(quantity, '@value')
  const unit = optionalText(quantity, '@unit')
  const says_nothing = unit === null && optionalText(quantity, '#text') === null && /^-?0(\.0+)?$/.test(value ?? '')
  return { value: says_nothing ? null : value, unit }
}

/** Reads the event's point. The depth of an earthquake is in the words of its severity: `Magnitude 4.7M, Depth:65.42km`. */
function pointOf(element: JsonTextObject) {
  const point = element['geo:Point']
  const coordinates = point === undefined || point === '' ? {} : objectOf(point)
  const words = textOf(element['gdacs:severity']) ?? ''
  const depth = { km: /\bDepth: ?(\d+(?:\.\d+)?) ?km\b/.exec(words)?.[1] }
  return {
    longitude: optionalDegrees(coordinates, 'geo:long', 180),
    latitude: optionalDegrees(coordinates, 'geo:lat', 90),
    depth_km: optionalMeasure(depth, 'km'),
  }
}

/** Reads the text of each element without nested elements; a repeated element is not a text. */
function textsOf(element: JsonTextObject): JsonTextObject {
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, textOf(value) ?? undefined]))
}

function textOf(value: JsonText | undefined): string | null {
  if (typeof value === 'string') return value
  const words = Array.isArray(value) || value === undefined ? undefined : objectOf(value)['#text']
  return typeof words === 'string' ? words : null
}

function instantOf(item: JsonTextObject, name: string): Micros | null {
  const text = optionalText(item, name)
  if (text === null) return null
  const micros = rfc822Micros(text)
  if (micros === null) throw new Quarantined('BAD_DATE')
  return micros
}

function flagOf(item: JsonTextObject, name: string): boolean | null {
  const text = optionalText(item, name)
  if (text === null) return null
  if (text !== 'true' && text !== 'false') throw new Quarantined('BAD_FLAG')
  return text === 'true'
}

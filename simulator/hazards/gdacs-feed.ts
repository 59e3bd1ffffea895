import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { type Hazard, type HazardReport, reportAt } from './hazard.ts'

const CODES = { earthquake: 'EQ', tropical_cyclone: 'TC', flood: 'FL' } as const
/** Time an event stays in the feed after its end. */
const KEPT: Micros = 4 * MICROS_PER_DAY
const MAGNITUDE_MIN = 50
/** Interval at which items of lasting events are rewritten, with current dates. */
const REFRESH: Micros = 600 * MICROS_PER_SECOND
const NAMESPACES = [
  'xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"',
  'xmlns:gdacs="http://www.gdacs.org"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(' ')

/** Returns current hazards in the form of GDACS's RSS feed, newest first. */
export function gdacsFeed(hazards: readonly Hazard[], at: Micros): string {
  const items = hazards.flatMap((hazard) => itemOf(hazard, at)).reverse()
  const head = ['<title>GDACS RSS information</title>', `<pubDate>${rfc822(refreshed(at))}</pubDate>`]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<rss version="2.0" ${NAMESPACES}>`,
    `<channel>${[...head, ...items].join('\n')}</channel>`,
    '</rss>',
    '',
  ].join('\n')
}

function itemOf(hazard: Hazard, at: Micros): string[] {
  const report = reportAt(hazard, at)
  const { kind, ended_at } = hazard
  if (report === null || at > ended_at + KEPT) return []
  if (kind === 'earthquake' && report.magnitude < MAGNITUDE_MIN) return []
  const code = CODES[kind]
  const level = `${report.alert[0]!.toUpperCase()}${report.alert.slice(1)}`
  const dates = datesOf(hazard, report, at)
  const elements = [
    ['title', titleOf(hazard, report, level)],
    ['link', `https://www.gdacs.org/report.aspx?eventtype=${code}&amp;eventid=${hazard.number}`],
    ['gdacs:temporary', 'false'],
    ['pubDate', rfc822(dates.published)],
    ['gdacs:iscurrent', String(at <= ended_at + MICROS_PER_DAY)],
    ['gdacs:fromdate', rfc822(hazard.started_at)],
    ['gdacs:todate', rfc822(dates.to)],
    ['gdacs:eventtype', code],
    ['gdacs:eventid', String(hazard.number)],
    ['gdacs:episodeid', String(hazard.reports.indexOf(report) + 1)],
    ['gdacs:alertlevel', level],
    ['gdacs:alertscore', String(['green', 'orange', 'red'].indexOf(report.alert) + 1)],
    ['gdacs:episodealertlevel', level],
    ['gdacs:country', hazard.place.country],
    ['gdacs:iso3', hazard.place.iso3],
  ] as const
  const written = elements.map(([name, text]) => `<${name}>${text}</${name}>`)
  return [['<item>', ...written, ...quantitiesOf(hazard, report), pointOf(hazard), '</item>'].join('\n')]
}

function titleOf({ kind, place, name }: Hazard, { magnitude }: HazardReport, level: string): string {
  switch (kind) {
    case 'earthquake':
      return `${level} earthquake alert (Magnitude ${(magnitude / 10).toFixed(1)}M) near ${place.name}, ${place.country}`
    case 'tropical_cyclone':
      return `${level} alert for tropical cyclone ${name} near ${place.name}, ${place.country}`
    case 'flood':
      return `${level} flood alert in ${place.country}`
  }
}

/**
 * Returns an item's dates. The pubDate of a bulletin is its own; that of a lasting event, and its end while it lasts, are those
 * of the last refresh.
 */
function datesOf({ kind, started_at, ended_at }: Hazard, report: HazardReport, at: Micros) {
  if (kind === 'earthquake') return { published: started_at, to: started_at }
  if (kind === 'tropical_cyclone') return { published: report.at, to: Math.min(report.at, ended_at) }
  const moment = refreshed(at)
  return { published: moment, to: at < ended_at ? moment : ended_at }
}

function quantitiesOf({ kind, depth_km }: Hazard, { magnitude, population }: HazardReport): string[] {
  switch (kind) {
    case 'earthquake': {
      const size = (magnitude / 10).toFixed(1)
      const people = population === 0 ? 'No people within 100km' : `${population} people within 100km`
      return [
        `<gdacs:severity unit="M" value="${size}">Magnitude ${size}M, Depth:${depth_km}km</gdacs:severity>`,
        `<gdacs:population unit="Population in 100km" value="${population}">${people}</gdacs:population>`,
      ]
    }
    case 'tropical_cyclone':
      return [
        `<gdacs:severity unit="km/h" value="${magnitude}">Tropical Storm (maximum wind speed of ${magnitude} km/h)</gdacs:severity>`,
        `<gdacs:population unit="Pop74" value="${population}">Population affected by Category 1 (120 km/h) wind speeds or higher is ${population}</gdacs:population>`,
      ]
    case 'flood':
      return ['<gdacs:severity unit="" value="0" />', '<gdacs:population unit="" value="0" />']
  }
}

function pointOf({ place: { latitude, longitude } }: Hazard): string {
  return `<geo:Point><geo:lat>${latitude / 1000}</geo:lat><geo:long>${longitude / 1000}</geo:long></geo:Point>`
}

function refreshed(at: Micros): Micros {
  return Math.floor(at / REFRESH) * REFRESH
}

const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Formats `Mon, 30 Dec 2019 01:35:11 GMT`; weekdays are counted from Thursday, 1 January 1970. */
function rfc822(at: Micros): string {
  const [date, time] = formatMicros(at).slice(0, 19).split('T') as [string, string]
  const [year, month, day] = date.split('-') as [string, string, string]
  const weekday = WEEKDAYS[Math.floor(at / MICROS_PER_DAY) % 7]!
  return `${weekday}, ${day} ${MONTHS[Number(month) - 1]!} ${year} ${time} GMT`
}

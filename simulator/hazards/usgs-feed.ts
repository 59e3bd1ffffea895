import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { type Hazard, reportAt } from './hazard.ts'

const WINDOW: Micros = 7 * MICROS_PER_DAY
/** Interval at which `updated` moves for weeks after an event, with nothing else changed. */
const TOUCHED: Micros = MICROS_PER_DAY / 8

/** Returns the earthquakes of the past week in the form of the USGS GeoJSON summary feed, newest first. */
export function usgsFeed(hazards: readonly Hazard[], at: Micros): string {
  const features = hazards
    .filter(({ kind, started_at }) => kind === 'earthquake' && started_at > at - WINDOW)
    .flatMap((hazard) => featureOf(hazard, at))
    .reverse()
  const metadata = {
    generated: millis(at),
    title: 'Simulated Earthquakes, Past Week',
    status: 200,
    api: '1.14.1',
    count: features.length,
  }
  return JSON.stringify({ type: 'FeatureCollection', metadata, features })
}

function featureOf(hazard: Hazard, at: Micros): object[] {
  const report = reportAt(hazard, at)
  if (report === null) return []
  const { number, place, depth_km, started_at } = hazard
  const id = `sm${number}`
  const mag = report.magnitude / 10
  const touched = report.at + Math.floor((at - report.at) / TOUCHED) * TOUCHED
  const properties = {
    mag,
    place: `near ${place.name}, ${place.country}`,
    time: millis(started_at),
    updated: millis(touched),
    url: `https://earthquake.usgs.gov/earthquakes/eventpage/${id}`,
    felt: null,
    cdi: null,
    mmi: null,
    alert: report.loss_alert,
    status: report.is_reviewed ? 'reviewed' : 'automatic',
    tsunami: 0,
    sig: report.magnitude * 10,
    net: 'sm',
    code: String(number),
    ids: `,${id},`,
    magType: 'mww',
    type: 'earthquake',
    title: `M ${mag.toFixed(1)} - near ${place.name}, ${place.country}`,
  }
  const coordinates = [place.longitude / 1000, place.latitude / 1000, depth_km]
  return [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates }, id }]
}

const millis = (at: Micros) => Math.floor(at / 1000)

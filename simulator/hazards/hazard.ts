import type { Micros } from '../../primitives/instants.ts'

const ALERTS = ['green', 'yellow', 'orange', 'red'] as const
export type Alert = (typeof ALERTS)[number]

/** Location of invented hazards: a name that is on no map, and a point in milli-degrees. */
export type HazardPlace = {
  readonly name: string
  readonly country: string
  readonly iso3: string
  readonly latitude: number
  readonly longitude: number
}

/** Known facts of a hazard from an instant on. */
export type HazardReport = {
  readonly at: Micros
  /** In tenths; 0 if it has none. */
  readonly magnitude: number
  /** The loss estimate for people and money; null: none was made (yet). */
  readonly loss_alert: Alert | null
  /** Never yellow: the alert feed has three levels. */
  readonly alert: Exclude<Alert, 'yellow'>
  readonly population: number
  readonly is_reviewed: boolean
}

/** One invented hazard: its identity never changes, the known facts do. */
export type Hazard = {
  readonly kind: 'earthquake' | 'tropical_cyclone' | 'flood'
  /** Unique within its kind and world. */
  readonly number: number
  readonly name: string
  readonly place: HazardPlace
  readonly depth_km: number
  readonly started_at: Micros
  /** The start, for an earthquake. */
  readonly ended_at: Micros
  /** Ascending; the first is when a feed first reports it. */
  readonly reports: readonly HazardReport[]
}

/** Returns the known facts of a hazard at an instant; null before the first report. */
export function reportAt({ reports }: Hazard, at: Micros): HazardReport | null {
  return reports.findLast((report) => report.at <= at) ?? null
}

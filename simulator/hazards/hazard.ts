import type { Micros } from '../../primitives/instants.ts'

const ALERTS = ['green', 'yellow', 'orange', 'red'] as const
export type Alert = (typeof ALERTS)[number]

/** Where invented hazards happen: a name that is on no map, and a point in milli-degrees. */
export type HazardPlace = {
  readonly name: string
  readonly country: string
  readonly iso3: string
  readonly latitude: number
  readonly longitude: number
}

/** What was known of a hazard from an instant on. */
export type HazardReport = {
  readonly at: Micros
  /** In tenths; 0 for what has none. */
  readonly magnitude: number
  /** The loss estimate for people and money; null: none was made (yet). */
  readonly loss_alert: Alert | null
  /** Never yellow: the alert feed has three levels. */
  readonly alert: Exclude<Alert, 'yellow'>
  readonly population: number
  readonly is_reviewed: boolean
}

/** One invented hazard: what it is never changes, what is known of it does. */
export type Hazard = {
  readonly kind: 'earthquake' | 'tropical_cyclone' | 'flood'
  /** One of a kind in its world. */
  readonly number: number
  readonly name: string
  readonly place: HazardPlace
  readonly depth_km: number
  readonly started_at: Micros
  /** Of an earthquake its start. */
  readonly ended_at: Micros
  /** Ascending; the first is when a feed tells of it first. */
  readonly reports: readonly HazardReport[]
}

/** What is known of a hazard at an instant; null: nothing yet. */
export function reportAt({ reports }: Hazard, at: Micros): HazardReport | null {
  return reports.findLast((report) => report.at <= at) ?? null
}

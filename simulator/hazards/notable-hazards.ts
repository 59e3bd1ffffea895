import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Hazard, HazardPlace, HazardReport } from './hazard.ts'
import { planHazards } from './plan-hazards.ts'

const MINUTE: Micros = 60 * MICROS_PER_SECOND
const HOUR: Micros = 60 * MINUTE
const SLOT: Micros = MICROS_PER_DAY / 4

const ISLANDS = { name: 'Marl Sound', country: 'Simulated Islands', iso3: 'XSI', latitude: -16_900, longitude: 177_400 }
const UPLANDS = { name: 'Tern Ridge', country: 'Simulated Uplands', iso3: 'XSU', latitude: 39_250, longitude: 42_640 }

/**
 * Plans the hazards that a committee has to assess: those of the plan and, about the world's start, a cyclone whose alert goes
 * from orange to red within the first hour, and an earthquake with a loss estimate. Oldest first.
 */
export function notableHazards(seed: string, start: Micros, end: Micros): readonly Hazard[] {
  const hazards = [...planHazards(seed, start, end), cyclone(start), earthquake(start)]
  return hazards.sort((a, b) => a.started_at - b.started_at)
}

/** Numbers that no planned hazard has: those end in 0, 1 and 2. */
const numbered = (start: Micros, last: number) => Math.floor(start / SLOT) * 10 + last

function cyclone(start: Micros): Hazard {
  const bulletin = (after: Micros, alert: HazardReport['alert'], magnitude: number, population: number) => ({
    at: start + after,
    magnitude,
    loss_alert: null,
    alert,
    population,
    is_reviewed: false,
  })
  return {
    ...hazardAt(ISLANDS, numbered(start, 5)),
    kind: 'tropical_cyclone',
    name: 'ASPEN',
    depth_km: 0,
    started_at: start - 6 * MICROS_PER_DAY,
    ended_at: start + 3 * MICROS_PER_DAY,
    reports: [
      bulletin(-5 * MICROS_PER_DAY, 'green', 95, 0),
      bulletin(-3 * MICROS_PER_DAY, 'green', 120, 64_000),
      bulletin(-12 * HOUR, 'orange', 155, 4_100_000),
      bulletin(35 * MINUTE, 'red', 215, 5_600_000),
      bulletin(7 * HOUR, 'red', 205, 6_100_000),
      bulletin(19 * HOUR, 'orange', 150, 6_100_000),
    ],
  }
}

function earthquake(start: Micros): Hazard {
  const started_at = start - 9 * HOUR
  const reported_at = started_at + 8 * MINUTE
  const first = { magnitude: 60, population: 0, alert: 'green', is_reviewed: false } as const
  const later = { magnitude: 61, population: 210_000, alert: 'green', loss_alert: 'green' } as const
  return {
    ...hazardAt(UPLANDS, numbered(start, 6)),
    kind: 'earthquake',
    name: '',
    depth_km: 22,
    started_at,
    ended_at: started_at,
    reports: [
      { at: reported_at, ...first, loss_alert: null },
      { at: reported_at + 30 * MINUTE, ...later, is_reviewed: false },
      { at: reported_at + 24 * HOUR, ...later, is_reviewed: true },
    ],
  }
}

function hazardAt(place: HazardPlace, number: number): Pick<Hazard, 'place' | 'number'> {
  return { place, number }
}

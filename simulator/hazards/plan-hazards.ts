import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { createRandom, type Random } from '../world/random.ts'
import type { Alert, Hazard, HazardPlace, HazardReport } from './hazard.ts'

const MINUTE: Micros = 60 * MICROS_PER_SECOND
const SLOT: Micros = MICROS_PER_DAY / 4
/** Time that feeds, and so plans, reach back. */
const HAZARDS_BACK: Micros = 14 * MICROS_PER_DAY

const PLACES: readonly HazardPlace[] = [
  { name: 'Port Marl', country: 'Simulated Coast', iso3: 'XSC', latitude: -19_412, longitude: -70_840 },
  { name: 'Quillet', country: 'Simulated Coast', iso3: 'XSC', latitude: -22_105, longitude: -71_233 },
  { name: 'Tamber Islands', country: 'Simulated Islands', iso3: 'XSI', latitude: -17_750, longitude: 178_020 },
  { name: 'Low Ferrin', country: 'Simulated Delta', iso3: 'XSD', latitude: 23_640, longitude: 90_310 },
  { name: 'Upper Sedge', country: 'Simulated Delta', iso3: 'XSD', latitude: 25_102, longitude: 91_905 },
  { name: 'Karst Hollow', country: 'Simulated Uplands', iso3: 'XSU', latitude: 38_905, longitude: 43_120 },
]
const STORMS = ['ALDER', 'BIRCH', 'CEDAR', 'DOGWOOD', 'ELM', 'FIR', 'GORSE', 'HAZEL'] as const

/** Odds per million of each level of a loss estimate or alert, the worst first. */
const LOSS_ODDS = [
  ['red', 20_000],
  ['orange', 80_000],
  ['yellow', 200_000],
] as const satisfies readonly (readonly [Alert, number])[]

/**
 * Plans invented hazards that begin in [from - 14 days, to), oldest first. Each quarter of a day is decided by itself, so a
 * longer plan contains the shorter one.
 */
export function planHazards(seed: string, from: Micros, to: Micros): readonly Hazard[] {
  const hazards: Hazard[] = []
  const first = Math.ceil((from - HAZARDS_BACK) / SLOT)
  for (let slot = first; slot * SLOT < to; slot += 1) {
    const random = createRandom(seed, 'hazard', slot)
    if (random.chance(600_000)) hazards.push(earthquake(slot, random))
    if (random.chance(80_000)) hazards.push(flood(slot, random))
    if (random.chance(40_000)) hazards.push(cyclone(slot, random))
  }
  return hazards.filter(({ started_at }) => started_at < to).sort((a, b) => a.started_at - b.started_at)
}

function earthquake(slot: number, random: Random): Hazard {
  const started_at = begins(slot, random)
  let magnitude = 45
  while (magnitude < 79 && random.chance(800_000)) magnitude += 1
  const has_losses = magnitude >= 55
  const loss_alert = has_losses ? lossAlert(random) : null
  const population = has_losses ? random.below(400_000) : 0
  const reported_at = started_at + random.between(4, 18) * MINUTE
  const first = { magnitude: magnitude + random.between(-1, 1), loss_alert: null, population, is_reviewed: false }
  const reports: HazardReport[] = [{ at: reported_at, ...first, alert: 'green' }]
  const later = { magnitude, loss_alert, population, alert: threeLevels(loss_alert) }
  reports.push({ at: reported_at + random.between(20, 45) * MINUTE, ...later, is_reviewed: false })
  reports.push({ at: reported_at + random.between(20, 30) * 60 * MINUTE, ...later, is_reviewed: true })
  const ended_at = started_at
  return {
    kind: 'earthquake',
    number: slot * 10,
    name: '',
    place: randomPlace(random),
    depth_km: random.between(5, 120),
    started_at,
    ended_at,
    reports,
  }
}

/** Plans a flood, which is reported a day late and may grow worse once. */
function flood(slot: number, random: Random): Hazard {
  const started_at = begins(slot, random)
  const ended_at = started_at + random.between(3, 12) * MICROS_PER_DAY
  const reported_at = started_at + MICROS_PER_DAY
  const nothing = { magnitude: 0, loss_alert: null, population: 0, is_reviewed: false }
  const reports: HazardReport[] = [{ at: reported_at, ...nothing, alert: 'green' }]
  if (random.chance(400_000)) reports.push({ at: reported_at + MICROS_PER_DAY, ...nothing, alert: 'orange' })
  return {
    kind: 'flood',
    number: slot * 10 + 1,
    name: '',
    place: randomPlace(random),
    depth_km: 0,
    started_at,
    ended_at,
    reports,
  }
}

/** Plans a cyclone with a bulletin every six hours, stating the people that its winds reach by then. */
function cyclone(slot: number, random: Random): Hazard {
  const started_at = slot * SLOT
  const bulletins = random.between(8, 24)
  let population = 0
  const reports: HazardReport[] = Array.from({ length: bulletins }, (_, n) => {
    population += random.chance(500_000) ? random.below(60_000) : 0
    const alert = population > 500_000 ? 'red' : population > 100_000 ? 'orange' : 'green'
    const at = started_at + n * SLOT + 40 * MINUTE
    return { at, magnitude: random.between(90, 210), loss_alert: null, alert, population, is_reviewed: false }
  })
  const name = STORMS[random.below(STORMS.length)]!
  const ended_at = started_at + (bulletins - 1) * SLOT
  return {
    kind: 'tropical_cyclone',
    number: slot * 10 + 2,
    name,
    place: randomPlace(random),
    depth_km: 0,
    started_at,
    ended_at,
    reports,
  }
}

function begins(slot: number, random: Random): Micros {
  return slot * SLOT + random.below(SLOT / MICROS_PER_SECOND) * MICROS_PER_SECOND
}

function randomPlace(random: Random): HazardPlace {
  const place = PLACES[random.below(PLACES.length)]!
  return {
    ...place,
    latitude: place.latitude + random.between(-900, 900),
    longitude: place.longitude + random.between(-900, 900),
  }
}

function lossAlert(random: Random): Alert {
  return LOSS_ODDS.find(([, odds]) => random.chance(odds))?.[0] ?? 'green'
}

function threeLevels(alert: Alert | null): Exclude<Alert, 'yellow'> {
  return alert === null || alert === 'yellow' ? 'green' : alert
}

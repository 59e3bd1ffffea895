import { invariant } from '../../primitives/errors.ts'
import { durationMicros, MICROS_PER_DAY, type Micros, utcDay } from '../../primitives/instants.ts'
import { type RebalanceSchedule, WEEKDAYS, type Weekday } from '../../vocabulary/eligibility.ts'

/** Instants at which a version is rebalanced. */
export type Rebalance = {
  readonly schedule: RebalanceSchedule
  readonly weekday: Weekday
  /** Time of day, in microseconds after midnight UTC. */
  readonly at: Micros
}

/** Longest notice of a scheduled rebalance: its composition is announced in the day before this notice begins. */
export const REBALANCE_NOTICE_MAX = 'P5D'
/** Time before a rebalance at which its composition is published and frozen at the latest (docs/eligibility.md). */
const ANNOUNCEMENT = { governed: durationMicros(REBALANCE_NOTICE_MAX), ungoverned: durationMicros('P2D') } as const
/** Time in which the announcement is made: it ends when the latest instant does. */
const ANNOUNCEMENT_WINDOW = MICROS_PER_DAY
/** Time before a rebalance from which its version may be published, so that its first tick finds it. */
export const ACTIVATION_LEAD = durationMicros('PT1H')

/** Shortest time from the data of a selection to its effect: the announcement of a governed index and its window. */
export const DATA_LEAD_MIN = ANNOUNCEMENT.governed + ANNOUNCEMENT_WINDOW

/** Returns the time by which an announcement precedes its effect. */
export function announcementLead(is_governed: boolean): Micros {
  return is_governed ? ANNOUNCEMENT.governed : ANNOUNCEMENT.ungoverned
}

/** Months of a quarterly rebalance. */
const QUARTERS = new Set(['03', '06', '09', '12'])
/** Days in which every schedule has an instant. */
const LOOK_AHEAD_DAYS = 200

/** Reports whether an instant is one of a schedule: the weekday, the first of its month if it is not weekly. */
export function isOnSchedule({ schedule, weekday, at }: Rebalance, instant: Micros): boolean {
  const day = Math.floor(instant / MICROS_PER_DAY)
  if (instant - day * MICROS_PER_DAY !== at) return false
  if (WEEKDAYS[((day % 7) + 7) % 7] !== weekday) return false
  if (schedule === 'weekly') return true
  const [, month, of_month] = utcDay(instant).split('-')
  return Number(of_month) <= 7 && (schedule === 'monthly' || QUARTERS.has(month!))
}

/** Returns the first instant of a schedule after another. */
export function nextRebalance(rebalance: Rebalance, after: Micros): Micros {
  const first_day = Math.floor(after / MICROS_PER_DAY)
  for (let day = first_day; day <= first_day + LOOK_AHEAD_DAYS; day += 1) {
    const instant = day * MICROS_PER_DAY + rebalance.at
    if (instant > after && isOnSchedule(rebalance, instant)) return instant
  }
  invariant(false, 'every schedule has an instant within 200 days')
}

/** Step of a scheduled rebalance that is due. */
export type RebalanceStep = { readonly step: 'announce' | 'publish'; readonly effective_from: Micros }

/**
 * Returns the steps that are due. An announcement that was not made in its window is not made at all: the version in force stays
 * until the next instant of the schedule.
 */
export function dueSteps(
  rebalance: Rebalance,
  known: {
    /** effective_from of the newest version. */
    readonly newest: Micros
    /** effective_from of every announced composition. */
    readonly announced: ReadonlySet<Micros>
    readonly is_governed: boolean
  },
  now: Micros,
): readonly RebalanceStep[] {
  const { newest, announced, is_governed } = known
  // A proposal cannot begin in the past: a governed composition whose start has passed is published no more.
  const is_open = (at: Micros) => at > newest && at - ACTIVATION_LEAD <= now && (!is_governed || now <= at)
  const to_publish = [...announced].filter(is_open).sort((a, b) => a - b)
  const effective_from = nextRebalance(rebalance, Math.max(newest, now))
  const latest = effective_from - announcementLead(is_governed)
  const is_due = latest - ANNOUNCEMENT_WINDOW <= now && now <= latest && !announced.has(effective_from)
  return [
    ...to_publish.map((at) => ({ step: 'publish', effective_from: at }) as const),
    ...(is_due ? [{ step: 'announce', effective_from } as const] : []),
  ]
}

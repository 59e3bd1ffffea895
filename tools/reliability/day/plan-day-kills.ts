import { SETTLEMENT_STEPS, type SettlementStep } from '../../../operations/settlement/settlement-ports.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { type DayStep, isOfMany } from './day-script.ts'

/** One thing that is done to a process of the day. */
export type DayKill =
  | { readonly target: 'engine' | 'worker' | 'postgres' }
  | { readonly target: 'engine-at'; readonly killpoint: string }
  | { readonly target: 'worker-at'; readonly dies_at: { readonly step: SettlementStep; readonly time: number } }

/** A kill, and the moment of the day that it comes at: begun before this step of the script. */
export type PlannedKill = { readonly kill: DayKill; readonly before_step: number }

const KILL_POINTS = ['mid-write', 'before-commit', 'after-commit-before-ack'] as const
const TIMES_MAX = 6
/** Shares of a hundred. */
const SHARES = [
  ['engine', 22],
  ['engine-at', 22],
  ['worker', 18],
  ['worker-at', 26],
  ['postgres', 12],
] as const

/** Percentage of kills during settlement, resolution or correction; the rest happen while orders arrive. */
const AT_STAGES = 65

/** Kills over a day, in the order in which they come. The seed decides. */
export function planDayKills(random: Random, count: number, script: readonly DayStep[]): readonly PlannedKill[] {
  const places = script.map((step, place) => ({ place, is_of_many: isOfMany(step) }))
  const [orders, stages] = [
    places.filter(({ is_of_many }) => is_of_many),
    places.filter(({ is_of_many }) => !is_of_many),
  ]
  const kills = Array.from({ length: count }, () => {
    const among = random.below(100) < AT_STAGES ? stages : orders
    return { kill: killOf(random), before_step: among[random.below(among.length)]!.place }
  })
  return kills.sort((a, b) => a.before_step - b.before_step)
}

function killOf(random: Random): DayKill {
  const target = targetOf(random.below(100))
  if (target === 'engine-at') {
    const name = KILL_POINTS[random.below(KILL_POINTS.length)]!
    return { target, killpoint: `${name}:${random.between(1, TIMES_MAX)}` }
  }
  if (target === 'worker-at') {
    const step = SETTLEMENT_STEPS[random.below(SETTLEMENT_STEPS.length)]!
    return { target, dies_at: { step, time: random.between(1, 2) } }
  }
  return { target }
}

function targetOf(place: number): (typeof SHARES)[number][0] {
  let sum = 0
  for (const [target, share] of SHARES) {
    sum += share
    if (place < sum) return target
  }
  return 'postgres'
}

import type { Random } from '../../../simulator/world/random.ts'
import { KILL_POINTS } from '../../../trading/service/kill-point.ts'

/** One thing that is done to a process, and how many acknowledged writes come before it. */
export type Kill = { readonly after_acknowledged: number } & (
  | { readonly target: 'api' | 'postgres' | 'leader' | 'standby' | 'engines' }
  | { readonly target: 'pause'; readonly for_ms: number }
  | { readonly target: 'killpoint'; readonly killpoint: string }
)

/** Shares of a hundred: a fifth are pauses, a fifth end at a named place, the others hit at random. */
const SHARES = [
  ['api', 20],
  ['postgres', 18],
  ['leader', 14],
  ['engines', 5],
  ['standby', 3],
  ['pause', 20],
  ['killpoint', 20],
] as const

/** Pauses shorter than the lease, which nobody notices, and longer ones. */
const PAUSES_MS = [
  [50, 1_500],
  [3_200, 5_000],
] as const
/** The armed engine ends at one of its first commits. */
const COMMITS_MAX = 30

/** Plans the kills of one chapter from a seed. @param acknowledged writes between two kills, on average */
export function planKills(random: Random, count: number, acknowledged: number): readonly Kill[] {
  return Array.from({ length: count }, () => planKill(random, random.between(1, 2 * acknowledged)))
}

function planKill(random: Random, after_acknowledged: number): Kill {
  const target = targetOf(random.below(100))
  if (target === 'pause') {
    const [low, high] = PAUSES_MS[random.below(PAUSES_MS.length)]!
    return { target, after_acknowledged, for_ms: random.between(low, high) }
  }
  if (target !== 'killpoint') return { target, after_acknowledged }
  const name = KILL_POINTS[random.below(KILL_POINTS.length)]!
  const times = name === 'after-lease' ? 1 : random.between(1, COMMITS_MAX)
  return { target, after_acknowledged, killpoint: `${name}:${times}` }
}

function targetOf(place: number): (typeof SHARES)[number][0] {
  let sum = 0
  for (const [target, share] of SHARES) {
    sum += share
    if (place < sum) return target
  }
  return 'killpoint'
}

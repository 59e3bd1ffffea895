import type { KnowledgeDiff, KnownTick } from '../operations/index/diff-index.ts'
import { levelDifference } from '../pipelines/index/level-difference.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../primitives/instants.ts'
import type { Point } from './line-path.ts'
import { extendRuns, type StateRun } from './state-runs.ts'
import { Thinner } from './thinner.ts'
import type { TimeDomain } from './time-axis.ts'

/** A tick that is drawn and listed; difference: later minus earlier, null unless both have a level. */
type Kept = KnownTick & { readonly at: Micros; readonly difference: string | null }

/** Data of a picture of two states of knowledge. */
export type KnowledgePicture = {
  readonly domain: TimeDomain
  readonly ticks: readonly Kept[]
  readonly thinned: boolean
}

/** Changes in words. */
export const CHANGE_TEXTS = {
  became_known: 'became known',
  superseded: 'superseded',
  state_changed: 'changed state',
} as const

/** Every tick, or of a long series those that keep its extremes. */
export function knowledgePicture({ ticks, spec }: KnowledgeDiff): KnowledgePicture {
  const thinner = new Thinner<Kept>([
    { of: ({ after }) => after.level, keep: 'both', gaps: true },
    { of: ({ before }) => before?.level ?? null, keep: 'both', gaps: false },
    { of: ({ difference }) => difference, keep: 'both', gaps: false },
  ])
  for (const tick of ticks) {
    const difference = tick.before === null ? null : levelDifference(tick.before.level, tick.after.level)
    thinner.add({ ...tick, at: toMicros(tick.tick_at), difference })
  }
  const kept = thinner.items()
  const [first, last] = [kept.at(0)?.at ?? 0, kept.at(-1)?.at ?? 0]
  const frequency = spec.versions.findLast(({ effective_from }) => effective_from <= last)?.frequency ?? MICROS_PER_DAY
  return { domain: { from: first, to: last + frequency }, ticks: kept, thinned: thinner.thinned }
}

/** Levels known later. */
export function pointsOf(ticks: readonly Kept[]): readonly Point[] {
  return ticks.map(({ at, after }) => ({ at, value: after.level, carried: after.quality_state === 'stale' }))
}

/** Their states. */
export function runsOf(ticks: readonly Kept[], domain: TimeDomain): readonly StateRun[] {
  const runs: StateRun[] = []
  ticks.forEach(({ at, after }, i) => {
    extendRuns(runs, { state: after.quality_state, at, to: ticks[i + 1]?.at ?? domain.to })
  })
  return runs
}

/** Returns the changes of the ticks' records as runs with patterns. */
export function changeRuns(ticks: readonly Kept[], domain: TimeDomain): readonly StateRun[] {
  const runs: StateRun[] = []
  ticks.forEach(({ at, change }, i) => {
    const state = change === null ? 'unchanged' : CHANGE_TEXTS[change]
    extendRuns(runs, { state, at, to: ticks[i + 1]?.at ?? domain.to })
  })
  return runs
}

import type { Micros } from '../primitives/instants.ts'

/** Ticks in a row with one state, over [from, to). */
export type StateRun = { readonly state: string; readonly from: Micros; readonly to: Micros; readonly ticks: number }

/** Quality states, freshness classes and changes from best to worst: where a picture cannot show both, it shows the worse. */
const ORDER: readonly string[] = [
  'settled',
  'fresh',
  'valid',
  'corrected',
  'indicative',
  'degraded',
  'stale',
  'suspended',
  'missing',
  'unchanged',
  'became known',
  'changed state',
  'superseded',
]

/** Appends a tick to runs in place: the last run grows or a new one begins. `to`: where the tick's own time ends. */
export function extendRuns(
  runs: StateRun[],
  tick: { readonly state: string; readonly at: Micros; readonly to: Micros },
) {
  const last = runs.at(-1)
  if (last?.state === tick.state) runs[runs.length - 1] = { ...last, to: tick.to, ticks: last.ticks + 1 }
  else runs.push({ state: tick.state, from: tick.at, to: tick.to, ticks: 1 })
}

/** The worse of two states. */
export function worseState(a: string, b: string): string {
  return ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a
}

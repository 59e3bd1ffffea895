import type { SeriesStep } from '../../pipelines/index/series.ts'

/**
 * Marks the steps that make an official record: every priced tick, and of an unbroken run of stale or of suspended ticks
 * only the first (methodology 4.14: one record on entry, the next priced tick is the one on leaving).
 */
export function* officialSteps(
  series: Iterable<SeriesStep>,
): Generator<{ readonly step: SeriesStep; readonly official: boolean }> {
  let previous: string | null = null
  for (const step of series) {
    const state = step.result.quality_state
    const unpriced = state === 'stale' || state === 'suspended'
    yield { step, official: !unpriced || state !== previous }
    previous = state
  }
}

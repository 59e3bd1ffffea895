import type { SeriesStep } from '../../pipelines/index/series.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'

export type OfficialStep = { readonly step: SeriesStep; readonly official: boolean }

/**
 * Marks the steps that make an official record: every priced tick, and the first tick of each run of stale or suspended ticks
 * (methodology §12: one record on entry, the next priced tick is the one on leaving).
 * @param state_before of the tick before the first one; null: there is none
 */
export function* officialSteps(
  series: Iterable<SeriesStep>,
  state_before: QualityState | null = null,
): Generator<OfficialStep> {
  let previous = state_before
  for (const step of series) {
    const state = step.result.quality_state
    const unpriced = state === 'stale' || state === 'suspended'
    yield { step, official: !unpriced || state !== previous }
    previous = state
  }
}

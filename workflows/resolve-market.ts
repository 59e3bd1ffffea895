import { condition, continueAsNew, defineQuery, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type { ResolutionProgress } from '../operations/settlement/resolution-step.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { resolutionStep } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

type ResolveMarketArgs = {
  readonly resolution_id: string
  /** Steps per history. */
  readonly steps_per_run: number
  /** Result of the previous run's last step. */
  readonly progress: ResolutionProgress | null
}

/** Signals that a dispute was filed or decided, which ends the current wait. */
export const resolutionChanged = defineSignal('resolutionChanged')
/** Progress at the last step; null before the first. */
const resolutionProgress = defineQuery<ResolutionProgress | null>('resolutionProgress')

/**
 * Takes one resolution to its end: waits for its dispute window and for the decision of a dispute, finalizes it, and pays every
 * position once the settlements of its trades are confirmed.
 *
 * Workflow id `resolve/<resolution_id>`: one at a time; a repeated run resumes from the engine's state.
 */
export async function resolveMarket(args: ResolveMarketArgs): Promise<ResolutionProgress> {
  const { resolution_id, steps_per_run } = args
  let { progress } = args
  let changed = false
  setHandler(resolutionProgress, () => progress)
  setHandler(resolutionChanged, () => {
    changed = true
  })
  for (let step = 0; step < steps_per_run; step += 1) {
    changed = false
    progress = await resolutionStep({ resolution_id, unconfirmed: progress?.unconfirmed ?? null })
    const { wait_ms } = progress
    if (wait_ms === null) return progress
    if (wait_ms > 0) await condition(() => changed, wait_ms)
  }
  return continueAsNew<typeof resolveMarket>({ ...args, progress })
}

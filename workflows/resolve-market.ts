import { condition, continueAsNew, defineQuery, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type { ResolutionProgress } from '../operations/settlement/resolution-step.ts'
import type { Activities } from './activities/activity-types.ts'
import { RETRY } from './retry.ts'

const { resolutionStep } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: RETRY,
})

export type ResolveMarketArgs = {
  readonly resolution_id: string
  /** Steps in one history. */
  readonly steps_per_run: number
  /** What the last step of the run before found. */
  readonly progress: ResolutionProgress | null
}

/** A dispute was filed or decided: look now, whatever is waited for. */
export const resolutionChanged = defineSignal('resolutionChanged')
/** Where the resolution was when it was last looked at; null: it was not yet. */
const resolutionProgress = defineQuery<ResolutionProgress | null>('resolutionProgress')

/**
 * Takes one resolution to its end: waits for its dispute window, and for the decision of a dispute, finalizes it, and pays every
 * position once the settlements of its trades are confirmed.
 *
 * Workflow id `resolve/<resolution_id>`: one at a time; done again it goes on from what the engine has.
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

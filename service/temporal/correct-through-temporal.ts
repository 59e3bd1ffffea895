import type { CorrectArgs, CorrectReport } from '../../workflows/activities/activity-types.ts'
import { startCorrection } from '../../workflows/client/corrections.ts'
import { resultOf, type ThroughOptions, withTemporal } from './with-temporal.ts'

/**
 * Runs a correction through Temporal. The signal cancels it; what was published stays.
 * @throws {ServiceError} what withTemporal and correctIndex throw; the signal's reason
 */
export function correctThroughTemporal(args: CorrectArgs, options: ThroughOptions): Promise<CorrectReport> {
  return withTemporal(options, async (connected) =>
    resultOf(await startCorrection(connected.client, args), connected, options),
  )
}

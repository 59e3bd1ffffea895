import { ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { isReached } from '../../../primitives/wall-clock.ts'
import type { PrivateRequest } from '../private-request.ts'

/**
 * Makes the requested instant final: if no batch is stamped at or after it yet, the engine commits an empty one.
 * @returns null: now was requested
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE; SERVICE_UNAVAILABLE
 */
export async function settledAsOf({ trading, as_of, now }: PrivateRequest): Promise<Micros | null> {
  if (as_of === null) return null
  if (!(await isReached(as_of, now))) {
    const message = `as_of is ${formatMicros(as_of)}; allowed: an instant that is not after ${formatMicros(now)}, the service's clock`
    throw new ServiceError('VALIDATION_AS_OF_IN_FUTURE', message, { field: 'as_of', value: formatMicros(as_of) })
  }
  const { at } = await trading.reads.head()
  if (at < as_of) await trading.stamp(as_of)
  return as_of
}

import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Returns the cutoff of a review: the requested instant, or now.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE
 */
export async function cutoffOf(at: Instant | null, warehouse: Warehouse): Promise<Micros> {
  const now = await warehouse.now()
  if (at === null) return now
  const cutoff = toMicros(at, 'at')
  if (cutoff <= now) return cutoff
  throw new ServiceError(
    'VALIDATION_AS_OF_IN_FUTURE',
    `at is ${at}; allowed: an instant that is not after now (${formatMicros(now)})`,
    { at },
  )
}

import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'

/** A range that begins before it ends. @throws {ServiceError} VALIDATION_RANGE_INVALID */
export function checkRange(from: Instant | null, to: Micros): void {
  if (from === null || toMicros(from, 'from') < to) return
  throw new ServiceError(
    'VALIDATION_RANGE_INVALID',
    `from is ${from}; allowed: an instant before ${formatMicros(to)}`,
    {
      field: 'from',
      value: from,
    },
  )
}

import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'

/** Refuses an instant in a form. @throws {ServiceError} VALIDATION_RANGE_INVALID, always */
export function refuseInstant(field: string, at: Micros, allowed: string): never {
  const value = formatMicros(at)
  throw new ServiceError('VALIDATION_RANGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, { field, value })
}

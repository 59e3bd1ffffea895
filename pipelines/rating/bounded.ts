import type { Decimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Returns the value if it is 0 or more and at most `most`. @throws {ServiceError} VALIDATION_RANGE_INVALID names the field */
export function bounded(value: Decimal, field: string, most: Decimal | null, allowed: string): Decimal {
  if (!value.isNegative() && (most === null || value.lte(most))) return value
  throw new ServiceError('VALIDATION_RANGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, {
    field,
    value: String(value),
  })
}

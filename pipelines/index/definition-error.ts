import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Builds an error that names the field, the value seen and what is allowed. */
export function invalid(field: string, value: unknown, allowed: string): ServiceError {
  const seen = value === undefined ? 'missing' : JSON.stringify(value)
  return new ServiceError('VALIDATION_DEFINITION_INVALID', `${field} is ${seen}; allowed: ${allowed}`, {
    field,
    value: String(value),
  })
}

/**
 * Parses a weight or cap: a decimal string in (0, 1].
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID, VALIDATION_DEFINITION_INVALID
 */
export function share(text: unknown, field: string): Decimal {
  const value = parseDecimal(text, field)
  if (value.lte(0) || value.gt(1)) throw invalid(field, text, 'a decimal string in (0, 1]')
  return value
}

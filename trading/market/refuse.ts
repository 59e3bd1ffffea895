import { notAllowed } from '../../primitives/errors.ts'

/**
 * Refuses an operator's command.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID with the field, the value and what is allowed
 */
export function refuse(field: string, value: string, allowed: string): never {
  throw notAllowed('VALIDATION_USAGE_INVALID', field, value, allowed)
}

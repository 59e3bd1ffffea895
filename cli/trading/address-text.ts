import { ServiceError } from '../../primitives/errors.ts'

/**
 * Parses an address and returns it in lower case.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function parseAddressText(text: string, field: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  const message = `${field} is ${JSON.stringify(text)}; allowed: 0x and 40 hex digits`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field, value: text })
}

import { ServiceError } from '../../primitives/errors.ts'
import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'

const SHOWN_MAX = 80

/** Refuses a signed text that is not the RFC 8785 form of a document; a doubled key is named. */
export function notCanonical(
  field: string,
  text: string,
  allowed: string,
): ServiceError<'VALIDATION_DEFINITION_INVALID'> {
  const seen = `${text.slice(0, SHOWN_MAX)}${text.length > SHOWN_MAX ? '…' : ''}`
  const message = `${field} ${doubledKeyOf(text) ?? `is ${seen}`}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_DEFINITION_INVALID', message, { field, value: seen })
}

/** Returns the end of a sentence about a JSON text with a doubled key; null: it has none, or is not JSON. */
function doubledKeyOf(text: string): string | null {
  try {
    parseStrictText(text)
  } catch (error) {
    if (error instanceof JsonFault && error.is_doubled) return error.message
  }
  return null
}

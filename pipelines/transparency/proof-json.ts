import { ServiceError } from '../../primitives/errors.ts'
import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'

/**
 * Parses a JSON text that a proof has, or an answer with its receipt.
 * @param field  name of the text in messages
 * @throws {ServiceError} PROOF_INVALID: it is not JSON, or an object has a key twice
 */
export function parseProofJson(text: string, field: string): unknown {
  try {
    return parseStrictText(text)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new ServiceError('PROOF_INVALID', `${field} ${error.message}; allowed: ${error.allowed}`, { field }, error)
  }
}

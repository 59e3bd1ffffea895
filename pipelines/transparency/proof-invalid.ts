import { ServiceError } from '../../primitives/errors.ts'

/** Longest value that a message repeats. */
const VALUE_MAX = 160

/**
 * Builds the error of a proof, a checkpoint or a log that does not verify.
 * @param value a text, or the JSON of another value, which is then not quoted: 5 differs from "5"
 */
export function proofInvalid(
  field: string,
  value: string | { readonly json: string },
  allowed: string,
): ServiceError<'PROOF_INVALID'> {
  const text = typeof value === 'string' ? value : value.json
  const shown = text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text
  const message = `${field} is ${typeof value === 'string' ? JSON.stringify(shown) : shown}; allowed: ${allowed}`
  return new ServiceError('PROOF_INVALID', message, { field, value: shown })
}

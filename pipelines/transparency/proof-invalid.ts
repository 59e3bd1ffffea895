import { ServiceError } from '../../primitives/errors.ts'

/** Longest value that a message repeats. */
const VALUE_MAX = 160

/** Builds the error of a proof, a checkpoint or a log that does not verify. */
export function proofInvalid(field: string, value: string, allowed: string): ServiceError<'PROOF_INVALID'> {
  const shown = value.length > VALUE_MAX ? `${value.slice(0, VALUE_MAX)}…` : value
  const message = `${field} is ${JSON.stringify(shown)}; allowed: ${allowed}`
  return new ServiceError('PROOF_INVALID', message, { field, value: shown })
}

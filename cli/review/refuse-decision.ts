import { ServiceError } from '../../primitives/errors.ts'

/**
 * A dispute is either upheld, with what takes the record's place, or rejected.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseDecision(
  options: { readonly uphold?: boolean; readonly reject?: boolean },
  grade: string,
  given: string | undefined,
): void {
  const { uphold = false, reject = false } = options
  if (uphold === reject) throw usage(`decide is missing its outcome; allowed: --uphold with --${grade}, or --reject`)
  if (uphold && given === undefined)
    throw usage(`${grade} is missing; allowed with --uphold: the ${grade} that takes its place`)
  if (reject && given !== undefined) throw usage(`${grade} is ${given}; allowed with --reject: none`)
}

function usage(sentence: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', sentence)
}

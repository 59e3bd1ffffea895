import { ServiceError } from '../../primitives/errors.ts'

/**
 * Rejects a decision that neither upholds a dispute with a replacement nor rejects it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseDecision(
  options: { readonly uphold?: boolean; readonly reject?: boolean },
  grade: string,
  given: string | undefined,
): void {
  const { uphold = false, reject = false } = options
  if (uphold === reject) throw usage(`decision is missing; allowed: --uphold with --${grade}, or --reject`)
  if (uphold && given === undefined)
    throw usage(`${grade} is missing; allowed with --uphold: the ${grade} that replaces it`)
  if (reject && given !== undefined) throw usage(`${grade} is ${given}; allowed with --reject: none`)
}

function usage(sentence: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', sentence)
}

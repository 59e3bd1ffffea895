import type { GovernanceState } from '../../pipelines/governance/proposal.ts'
import { isServiceError, notAllowed, type ServiceError } from '../../primitives/errors.ts'
import { hasOwnRoster } from '../governance/governed-home.ts'

/**
 * Refuses the sample week in a home with a roster of its own: the sample publishes indexes and acts of invented people, which its members
 * did not sign.
 * @throws {ServiceError} GOVERNANCE_REQUIRED
 */
export function refuseGovernedSample(state: GovernanceState): void {
  if (!hasOwnRoster(state)) return
  const seen = 'wanted in a home with a roster of its own, whose members decide which indexes it publishes'
  throw notAllowed('GOVERNANCE_REQUIRED', 'sample week', seen, 'up --no-sample-data, or the sample in another home')
}

/** Reports whether an error says that a home cannot take the sample week. The rest of the service runs without it. */
export function isSampleRefusal(error: unknown): error is ServiceError {
  return isServiceError(error, 'VALIDATION_CLOCK_REFUSED') || isServiceError(error, 'GOVERNANCE_REQUIRED')
}

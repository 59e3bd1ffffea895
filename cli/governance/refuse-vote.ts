import { ServiceError } from '../../primitives/errors.ts'
import type { VoteChoice } from '../../vocabulary/governance.ts'

/** Returns the choice of a vote. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function refuseVote(options: {
  readonly approve?: true
  readonly dissent?: true
  readonly reason?: string
}): VoteChoice {
  const { approve = false, dissent = false, reason } = options
  if (approve === dissent)
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      'vote is missing; allowed: --approve, or --dissent with --reason',
    )
  if (dissent && reason === undefined)
    throw new ServiceError('VALIDATION_USAGE_INVALID', 'reason is missing; allowed with --dissent: why')
  return approve ? 'approve' : 'dissent'
}

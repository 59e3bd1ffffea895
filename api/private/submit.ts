import { invariant } from '../../primitives/errors.ts'
import type { Submission, WriteIdentity } from '../../trading/engine/submission.ts'
import type { PrivateAnswer, PrivateRequest } from './private-request.ts'

/** Submits to the engine and returns its answer. */
export function submit({ trading }: PrivateRequest, submission: Submission): Promise<PrivateAnswer> {
  return trading.engine.submit(submission)
}

/** Returns the identity of a write. */
export function identityOf({ identity }: PrivateRequest): WriteIdentity {
  invariant(identity !== null, 'a write has an identity')
  return identity
}

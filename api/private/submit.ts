import { invariant } from '../../primitives/errors.ts'
import type { Submission, WriteIdentity } from '../../trading/engine/submission.ts'
import type { PrivateAnswer, PrivateRequest } from './private-request.ts'

/** Hands over to the engine; its answer is ours. */
export function submit({ trading }: PrivateRequest, submission: Submission): Promise<PrivateAnswer> {
  return trading.engine.submit(submission)
}

/** What the write is known by. */
export function identityOf({ identity }: PrivateRequest): WriteIdentity {
  invariant(identity !== null, 'a write has an identity')
  return identity
}

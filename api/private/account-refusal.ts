import { BODY_REFERENCE_STATUS } from '../../protocol/endpoints/errors-of.ts'
import type { Refusal } from '../../trading/engine/submission.ts'
import { missing } from '../missing-resource.ts'
import type { PrivateAnswer } from './private-request.ts'

/** Returns the refusal of a body that names another account than the key's; it does not reveal whether that account exists. */
export function refusedAccount(caller: { readonly account_id: string }, account_id: string): Refusal | null {
  if (account_id === caller.account_id) return null
  const { code, message, facts } = missing('account', account_id)
  return { code, message, facts }
}

/** Answers a body that refers to a missing resource: 422, because the path itself exists. */
export function refusedReference(error: Refusal): PrivateAnswer {
  return { status: BODY_REFERENCE_STATUS, data: null, error, location: null, replayed: false }
}

import type { Refusal } from '../../trading/engine/submission.ts'
import { missing } from '../missing-resource.ts'
import type { PrivateAnswer } from './private-request.ts'

/** The answer to a body that names an account other than the key's: the same whether there is such an account or not. */
export function accountRefusal(account_id: string): Refusal {
  const { code, message, facts } = missing('account', account_id)
  return { code, message, facts }
}

/** A body refers to something that is not there: the path is right, so it is 422 and not 404. */
export function refusedReference(error: Refusal): PrivateAnswer {
  return { status: 422, data: null, error, location: null, replayed: false }
}

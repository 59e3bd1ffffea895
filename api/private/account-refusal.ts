import type { Refusal } from '../../trading/engine/submission.ts'
import { missing } from '../missing-resource.ts'
import type { PrivateAnswer } from './private-request.ts'

/** Returns why a body may not name this account; null: it is the caller's. The same whether another account of this id exists or not. */
export function refusedAccount(caller: { readonly account_id: string }, account_id: string): Refusal | null {
  if (account_id === caller.account_id) return null
  const { code, message, facts } = missing('account', account_id)
  return { code, message, facts }
}

/** A body refers to something that is not there: the path is right, so it is 422 and not 404. */
export function refusedReference(error: Refusal): PrivateAnswer {
  return { status: 422, data: null, error, location: null, replayed: false }
}

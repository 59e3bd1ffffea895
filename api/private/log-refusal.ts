import { isServiceError } from '../../primitives/errors.ts'
import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import type { BatchItem } from '../../protocol/resources/order.ts'
import type { ApiLogger, Exchange } from '../server/exchange.ts'
import type { PrivateAnswer } from './private-request.ts'

/** Refusal as its caller was answered. */
type Told = { readonly code: string; readonly message: string }

/** Whether refusals of an endpoint are logged: those of orders, for which members ask operators by the request_id. */
export function isLogged({ tag, method }: PrivateEndpoint): boolean {
  return tag === 'Orders' && method !== 'GET'
}

/** Logs the answer to a request of orders, if anything of it was refused: one line, under the request_id that the member has. */
export function logRefusedAnswer(
  logger: ApiLogger | null,
  { request_id, operation }: Exchange,
  account_id: string,
  answer: PrivateAnswer,
): void {
  if (logger?.refused === undefined || answer.replayed) return
  const told = answer.error ?? refusedItem(answer)
  if (told === null) return
  logger.refused({ request_id, operation, account_id, code: told.code }, `refused: ${told.message}`)
}

/** Logs a request of orders that was refused before it reached the engine; null: its sender is not known. */
export function logRefusedRequest(
  logger: ApiLogger | null,
  { request_id, operation }: Exchange,
  account_id: string | null,
  error: unknown,
): void {
  if (!isServiceError(error)) return
  const { code, message } = error
  logger?.refused?.({ request_id, operation, account_id, code }, `refused: ${message}`)
}

const REJECTED = '"status":"rejected"'

/** Returns the first refused item of a list, with how many there are; null: none. */
function refusedItem({ data }: PrivateAnswer): Told | null {
  if (data === null || !data.includes(REJECTED)) return null
  const parsed = JSON.parse(data) as readonly BatchItem[] | { readonly orders?: readonly BatchItem[] }
  const items = (Array.isArray(parsed) ? parsed : ((parsed as { orders?: BatchItem[] }).orders ?? [])) as BatchItem[]
  const refused = items.flatMap(({ error }) => error ?? [])
  const [first] = refused
  if (first === undefined) return null
  return { code: first.code, message: `${refused.length} of ${items.length} items, the first: ${first.message}` }
}

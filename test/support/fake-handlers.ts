import { SERVICE_ROUTES } from '../../api/routes/service.ts'
import type { RouteAnswer, RouteHandler, RouteHandlers } from '../../api/server/handler.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'

/** Handlers that answer with nothing: an empty page, or an empty object. Routes given stand in their places. */
export function fakeHandlers(given: Partial<RouteHandlers> = {}): RouteHandlers {
  const entries = (Object.keys(ENDPOINTS) as OperationId[]).map((operation_id): [OperationId, RouteHandler] => {
    const answer: RouteAnswer =
      endpointOf(operation_id).envelope === 'collection' ? { data: [], next: null } : { data: {} }
    return [operation_id, () => answer]
  })
  return { ...(Object.fromEntries(entries) as RouteHandlers), ...SERVICE_ROUTES, ...given }
}

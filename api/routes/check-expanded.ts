import type { RouteRequest } from '../server/handler.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'
import { integerParameter, listParameter } from './parameters.ts'

/**
 * Refuses an expanded page that is too long.
 * @throws {RequestRefusal} VALIDATION_PARAMETER_INVALID
 */
export function checkExpanded(request: RouteRequest, { page_max }: { readonly page_max: number }): void {
  const limit = integerParameter(request, 'limit')
  if (listParameter(request, 'expand').length === 0 || limit <= page_max) return
  const rule = `allowed with expand: 1 to ${page_max}`
  throw new RequestRefusal([violation('VALIDATION_PARAMETER_INVALID', 'limit', String(limit), rule)])
}

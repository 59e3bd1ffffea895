import type { ProtectionRequest } from '../../../protocol/requests/protection-request.ts'
import { protectionResource } from '../../../trading/projections/protection.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'
import { partOf, shownPage } from './parameters.ts'

export const PROTECTION_ROUTES = {
  set_market_maker_protection: setProtection,
  list_market_maker_protections: listProtections,
  get_market_maker_protection: getProtection,
  reset_market_maker_protection: (request) => change(request, 'reset_protection'),
  remove_market_maker_protection: (request) => change(request, 'remove_protection'),
} as const satisfies Partial<PrivateHandlers>

async function setProtection(request: PrivateRequest): Promise<PrivateAnswer> {
  const { quantity_max = null, ...limits } = request.body as ProtectionRequest
  const market_id = request.parameters.market_id as string
  return submit(request, { kind: 'set_protection', identity: identityOf(request), market_id, quantity_max, ...limits })
}

async function change(request: PrivateRequest, kind: 'reset_protection' | 'remove_protection'): Promise<PrivateAnswer> {
  return submit(request, { kind, identity: identityOf(request), market_id: request.parameters.market_id as string })
}

async function listProtections(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const page = await trading.reads.protections(caller.account_id, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ market_id }) => [market_id],
    recordOf: (row) => protectionResource(row, row.quantity_scale),
  })
}

async function getProtection({ trading, caller, parameters }: PrivateRequest): Promise<PrivateAnswer> {
  const market_id = parameters.market_id as string
  const row = await trading.reads.protection(caller.account_id, market_id)
  if (row === null) throw missing('protection', market_id)
  return shown(protectionResource(row, row.quantity_scale))
}

import { settlementResource } from '../../../trading/projections/settlement.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { instantOrNull, partOf, shownPage, textOrNull } from './parameters.ts'

export const SETTLEMENT_READ_ROUTES = {
  list_settlements: listSettlements,
  get_settlement: getSettlement,
} as const satisfies Partial<PrivateHandlers>

async function listSettlements(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const filters = {
    state: textOrNull(request, 'state'),
    kind: textOrNull(request, 'kind'),
    market_id: textOrNull(request, 'market_id'),
    fill_id: textOrNull(request, 'fill_id'),
    asset_id: textOrNull(request, 'asset_id'),
    created_after: instantOrNull(request, 'created_after'),
    created_before: instantOrNull(request, 'created_before'),
    updated_after: instantOrNull(request, 'updated_after'),
    updated_before: instantOrNull(request, 'updated_before'),
  }
  const page = await trading.reads.settlements(caller.account_id, filters, partOf(request))
  const answer = shownPage(request, page, {
    keyOf: ({ row }) => [row.updated_at, row.settlement_id],
    recordOf: settlementResource,
  })
  return { ...answer, head: page.head }
}

async function getSettlement({ trading, caller, parameters }: PrivateRequest): Promise<PrivateAnswer> {
  const settlement_id = parameters.settlement_id as string
  const { head, rows } = await trading.reads.settlement(caller.account_id, settlement_id)
  const [found] = rows
  if (found !== undefined) return shown(settlementResource(found), { head })
  throw missing('settlement', settlement_id)
}

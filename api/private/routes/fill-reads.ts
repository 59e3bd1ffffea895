import type { Fill } from '../../../protocol/resources/fill.ts'
import { adjustmentResource } from '../../../trading/projections/adjustment.ts'
import { fillResource } from '../../../trading/projections/fill.ts'
import type { FillRead } from '../../../trading/store/read/trading-reads.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { instantOrNull, integerOrNull, partOf, shownPage, textOrNull } from './parameters.ts'

export const FILL_READ_ROUTES = {
  list_fills: listFills,
  get_fill: getFill,
  list_adjustments: listAdjustments,
} as const satisfies Partial<PrivateHandlers>

async function listFills(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const filters = {
    order_id: textOrNull(request, 'order_id'),
    market_id: textOrNull(request, 'market_id'),
    outcome_id: textOrNull(request, 'outcome_id'),
    side: textOrNull(request, 'side'),
    liquidity_role: textOrNull(request, 'liquidity_role'),
    settlement_state: textOrNull(request, 'settlement_state'),
    matched_after: instantOrNull(request, 'matched_after'),
    matched_before: instantOrNull(request, 'matched_before'),
    engine_sequence_after: integerOrNull(request, 'engine_sequence_after'),
  }
  const page = await trading.reads.fills(caller.account_id, filters, partOf(request))
  const answer = shownPage(request, page, {
    keyOf: ({ engine_sequence, fill_id }) => [engine_sequence, fill_id],
    recordOf: fillOf,
  })
  return { ...answer, head: page.head }
}

async function getFill(request: PrivateRequest): Promise<PrivateAnswer> {
  const fill_id = request.parameters.fill_id as string
  const { head, rows } = await request.trading.reads.fill(request.caller.account_id, fill_id)
  const [row] = rows
  if (row !== undefined) return shown(fillOf(row), { head })
  throw missing('fill', fill_id)
}

async function listAdjustments(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const filters = {
    engine_sequence_after: integerOrNull(request, 'engine_sequence_after'),
    published_after: instantOrNull(request, 'published_after'),
    published_before: instantOrNull(request, 'published_before'),
  }
  const page = await trading.reads.adjustments(caller.account_id, filters, partOf(request))
  const answer = shownPage(request, page, {
    keyOf: ({ engine_sequence }) => [engine_sequence],
    recordOf: (row) => adjustmentResource(row, row.market_terms),
  })
  return { ...answer, head: page.head }
}

function fillOf(row: FillRead): Fill {
  const { market_terms: terms, settlement_state, adjustment_ids } = row
  return fillResource(row, { terms, settlement_state, adjustment_ids })
}

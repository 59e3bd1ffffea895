import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { SETTLEMENT_KINDS, Settlement } from '../resources/settlement.ts'
import { idOf } from '../scalars.ts'
import { oneOf, PAGING, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, before, MARKET_FILTER, READ } from './trading-shared.ts'

const settlements = { ...READ, scope: 'settlement:read', tag: 'Settlements', stream_cursor: true } as const

/** Endpoints of settlements. There is none for redemption: this version redeems nothing. */
export const TRADING_SETTLEMENT_ENDPOINTS = {
  list_settlements: {
    ...settlements,
    operation_id: 'list_settlements',
    path: '/settlements',
    summary: 'List settlements',
    description:
      'Settlements of the account with their attempts and transitions; sorted by (updated_at, settlement_id), descending. A settlement that changes between two pages moves to the front: read again with updated_after.',
    path_parameters: {},
    query: {
      state: oneOf(SETTLEMENT_STATES, 'only in this state'),
      kind: oneOf(SETTLEMENT_KINDS, 'only settlements of this kind'),
      market_id: text(MARKET_FILTER, 'only settlements of this market'),
      fill_id: text(idOf('fill', 'fill_id'), 'only settlements of this fill'),
      asset_id: text(idOf('asset', 'asset_id'), 'only in this asset'),
      created_after: after('created'),
      created_before: before('created'),
      updated_after: after('changed'),
      updated_before: before('changed'),
      ...PAGING,
    },
    data: Settlement,
    envelope: 'collection',
    is_history: true,
    errors: [],
  },
  get_settlement: {
    ...settlements,
    operation_id: 'get_settlement',
    path: '/settlements/{settlement_id}',
    summary: 'Get a settlement',
    description: 'One settlement with all attempts, transitions, references, adjustments and its reversal.',
    path_parameters: { settlement_id: idOf('stl', 'settlement_id') },
    query: {},
    data: Settlement,
    envelope: 'single',
    errors: ['SETTLEMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>

import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { SETTLEMENT_KINDS, Settlement } from '../resources/settlement.ts'
import { idOf } from '../scalars.ts'
import { oneOf, PAGING, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, MARKET_FILTER, READ } from './trading-shared.ts'

const settlements = { ...READ, scope: 'settlement:read', tag: 'Settlements', stream_cursor: true } as const

/** Routes of settlements. Redemption is not among them: nothing is redeemed in this version. */
export const TRADING_SETTLEMENT_ENDPOINTS = {
  list_settlements: {
    ...settlements,
    operation_id: 'list_settlements',
    path: '/settlements',
    summary: 'List settlements',
    description:
      'Settlements of the account, with attempts and moves; by (updated_at, settlement_id) descending. One that moves between two pages goes to the front: read again with updated_after.',
    path_parameters: {},
    query: {
      state: oneOf(SETTLEMENT_STATES, 'only in this state'),
      kind: oneOf(SETTLEMENT_KINDS, 'only of this kind'),
      market_id: text(MARKET_FILTER, 'only of this market'),
      fill_id: text(idOf('fill', 'fill_id'), 'only of this fill'),
      asset_id: text(idOf('asset', 'asset_id'), 'only in this asset'),
      created_after: after('created'),
      updated_after: after('changed'),
      ...PAGING,
    },
    data: Settlement,
    envelope: 'collection',
    errors: [],
  },
  get_settlement: {
    ...settlements,
    operation_id: 'get_settlement',
    path: '/settlements/{settlement_id}',
    summary: 'Get a settlement',
    description: 'One settlement with all attempts, moves, references, adjustments and its reversal.',
    path_parameters: { settlement_id: idOf('stl', 'settlement_id') },
    query: {},
    data: Settlement,
    envelope: 'single',
    errors: ['SETTLEMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>

import { TRANSFER_DIRECTIONS, TRANSFER_STATES } from '../../vocabulary/transfer.ts'
import { CancelTransferRequest, TRANSFER_ID, TransferRequest } from '../requests/transfer-request.ts'
import { Transfer } from '../resources/transfer.ts'
import { idOf } from '../scalars.ts'
import { oneOf, PAGING } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, before, ONCE, READ, WRITE } from './trading-shared.ts'

const tag = 'Deposits and withdrawals'
const read = { ...READ, tag, scope: 'account:read' } as const
const write = { ...WRITE, tag, scope: 'transfers:write', limit_class: 'order_write' } as const
const path_parameters = { transfer_id: TRANSFER_ID }

/** Endpoints of deposits and withdrawals that the account asks for. */
export const TRADING_TRANSFER_ENDPOINTS = {
  request_transfer: {
    ...write,
    operation_id: 'request_transfer',
    path: '/account/transfers',
    summary: 'Request a deposit or withdrawal',
    description: `A withdrawal is held at once (withdrawal_hold) until the rail confirms or fails it, or the account cancels it. A deposit moves nothing before it is confirmed. ${ONCE}`,
    body: TransferRequest,
    data: Transfer,
    success: 201,
    errors: [
      'ACCOUNT_NOT_FOUND',
      'TRANSFER_AMOUNT_INVALID',
      'TRANSFER_LIMIT_EXCEEDED',
      'BALANCE_INSUFFICIENT_COLLATERAL',
    ],
  },
  cancel_transfer: {
    ...write,
    operation_id: 'cancel_transfer',
    path: '/account/transfers/{transfer_id}/cancel',
    path_parameters,
    summary: 'Cancel a deposit or withdrawal',
    description: `Only while it is open; what was held is available again. ${ONCE}`,
    body: CancelTransferRequest,
    data: Transfer,
    refused_with_data: { statuses: [409], data: Transfer },
    errors: ['TRANSFER_NOT_FOUND', 'TRANSFER_NOT_OPEN'],
  },
  list_transfers: {
    ...read,
    operation_id: 'list_transfers',
    path: '/account/transfers',
    summary: 'List deposits and withdrawals',
    description: 'Those that the account asked for; sorted by (requested_at, transfer_id), descending.',
    path_parameters: {},
    query: {
      direction: oneOf(TRANSFER_DIRECTIONS, 'only in this direction'),
      state: oneOf(TRANSFER_STATES, 'only in this state'),
      requested_after: after('requested'),
      requested_before: before('requested'),
      ...PAGING,
    },
    data: Transfer,
    envelope: 'collection',
    is_history: true,
    errors: [],
  },
  get_transfer: {
    ...read,
    operation_id: 'get_transfer',
    path: '/account/transfers/{transfer_id}',
    path_parameters: { transfer_id: idOf('(trf|xfer)', 'transfer_id') },
    summary: 'Get a deposit or withdrawal',
    description:
      'One transfer that the account asked for, with its state. What an operator booked (xfer_) is in the statement alone.',
    query: {},
    data: Transfer,
    envelope: 'single',
    errors: ['TRANSFER_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>

import Type from 'typebox'
import { LIQUIDITY_ROLES, SIDES } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { CancelAfterRequest, ORDER_ID } from '../requests/order-request.ts'
import { AccountPolicy } from '../resources/account-policy.ts'
import { Adjustment } from '../resources/adjustment.ts'
import { Balance } from '../resources/balance.ts'
import { CancelAfter } from '../resources/cancel-all.ts'
import { Fill } from '../resources/fill.ts'
import { Position } from '../resources/position.ts'
import { RedemptionPreview } from '../resources/redemption-preview.ts'
import { idOf } from '../scalars.ts'
import { AS_OF, flag, oneOf, PAGING, type Parameter, required, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, before, MARKET_FILTER, OUTCOME_FILTER, READ, WRITE } from './trading-shared.ts'

const account = { ...READ, scope: 'account:read', tag: 'Positions and balances' } as const
const fills = { ...READ, scope: 'orders:read', tag: 'Fills', stream_cursor: true } as const

const sequenceAfter = (what: string): Parameter => ({
  kind: 'integer',
  schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  description: `only ${what} with a greater engine_sequence`,
})

/** Endpoints of fills, positions, balances and the account itself. */
export const TRADING_ACCOUNT_ENDPOINTS = {
  list_fills: {
    ...fills,
    operation_id: 'list_fills',
    path: '/fills',
    summary: 'List fills',
    description: 'Fills of the account; sorted by (engine_sequence, fill_id), descending.',
    path_parameters: {},
    query: {
      order_id: text(ORDER_ID, 'only records of this order'),
      market_id: text(MARKET_FILTER, 'only records of this market'),
      outcome_id: text(OUTCOME_FILTER, 'only records of this outcome'),
      side: oneOf(SIDES, 'only records of this side'),
      liquidity_role: oneOf(LIQUIDITY_ROLES, 'only in this role'),
      settlement_state: oneOf(SETTLEMENT_STATES, 'only records with a settlement in this state'),
      matched_after: after('matched'),
      matched_before: before('matched'),
      engine_sequence_after: sequenceAfter('fills'),
      ...PAGING,
    },
    data: Fill,
    envelope: 'collection',
    is_history: true,
    errors: ['VALIDATION_RANGE_INVALID'],
  },
  get_fill: {
    ...fills,
    operation_id: 'get_fill',
    path: '/fills/{fill_id}',
    summary: 'Get a fill',
    description: 'One fill with its settlement and adjustments. The record never changes, except for settlement_state.',
    path_parameters: { fill_id: idOf('fill', 'fill_id') },
    query: {},
    data: Fill,
    envelope: 'single',
    cache: 'record',
    errors: ['FILL_NOT_FOUND'],
  },
  list_adjustments: {
    ...fills,
    operation_id: 'list_adjustments',
    path: '/adjustments',
    summary: 'List adjustments of fills',
    description: 'Corrections of fills of the account; sorted by engine_sequence.',
    path_parameters: {},
    query: {
      engine_sequence_after: sequenceAfter('adjustments'),
      published_after: after('published'),
      published_before: before('published'),
      ...PAGING,
    },
    data: Adjustment,
    envelope: 'collection',
    is_history: true,
    errors: [],
  },
  list_positions: {
    ...account,
    stream_cursor: true,
    operation_id: 'list_positions',
    path: '/positions',
    summary: 'List positions',
    description:
      'Holding of each outcome; sorted by (market_id, outcome_id). All pages of one cursor show the same instant. as_of recomputes the holding from the ledger.',
    path_parameters: {},
    query: {
      market_id: text(MARKET_FILTER, 'only records of this market'),
      outcome_id: text(OUTCOME_FILTER, 'only records of this outcome'),
      nonzero_only: flag('true: only outcomes that are held or owed'),
      settlement_state: oneOf(SETTLEMENT_STATES, 'only records with a settlement in this state'),
      ...AS_OF,
      ...PAGING,
    },
    data: Position,
    envelope: 'collection',
    errors: [],
  },
  get_market_positions: {
    ...account,
    stream_cursor: true,
    operation_id: 'get_market_positions',
    path: '/positions/{market_id}',
    summary: 'Positions of one market',
    description: 'Every outcome of the market that the account has held; sorted by outcome_id.',
    path_parameters: { market_id: MARKET_FILTER },
    query: AS_OF,
    data: Position,
    envelope: 'collection',
    errors: ['MARKET_NOT_FOUND'],
  },
  list_balances: {
    ...account,
    stream_cursor: true,
    operation_id: 'list_balances',
    path: '/balances',
    summary: 'Balances and reservations',
    description: 'Money of the account; sorted by asset_id. as_of recomputes the balances from the ledger.',
    path_parameters: {},
    query: { asset_id: text(idOf('asset', 'asset_id'), 'only the balance in this asset'), ...AS_OF },
    data: Balance,
    envelope: 'collection',
    errors: [],
  },
  get_account_policy: {
    ...account,
    operation_id: 'get_account_policy',
    path: '/account/policy',
    summary: 'Policy of the account',
    description: 'Default self-trade mode, treatment of reduce_only at zero, and limits. Every version is kept.',
    path_parameters: {},
    query: {},
    data: AccountPolicy,
    envelope: 'single',
    errors: [],
  },
  get_redemption_preview: {
    ...account,
    stream_cursor: true,
    operation_id: 'get_redemption_preview',
    path: '/account/redemption-preview',
    summary: 'Preview of a resolution',
    description:
      'What the account would get if each outcome of the market won, and if the market were void: payout, profit and loss, canceled orders, freed collateral.',
    path_parameters: {},
    query: { market_id: required(text(MARKET_FILTER, 'market that could resolve')) },
    data: RedemptionPreview,
    envelope: 'single',
    errors: ['MARKET_NOT_FOUND'],
  },
  set_cancel_after: {
    ...WRITE,
    tag: 'Orders',
    scope: 'orders:write',
    operation_id: 'set_cancel_after',
    method: 'PUT',
    path: '/account/cancel-after',
    limit_class: 'cancel',
    summary: "Dead man's switch",
    description: 'Cancels all orders unless it is set again before it runs out; 0 disarms it.',
    body: CancelAfterRequest,
    data: CancelAfter,
    errors: [],
  },
} as const satisfies Record<string, PrivateEndpoint>

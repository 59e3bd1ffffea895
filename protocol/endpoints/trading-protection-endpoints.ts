import { ProtectionRequest, ResetProtectionRequest } from '../requests/protection-request.ts'
import { MarketMakerProtection } from '../resources/market-maker-protection.ts'
import { PAGING } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { MARKET_FILTER, ONCE, READ, WRITE } from './trading-shared.ts'

const tag = 'Orders'
const path_parameters = { market_id: MARKET_FILTER }
const path = '/account/market-maker-protections/{market_id}'
const read = { ...READ, tag, scope: 'account:read' } as const
const write = { ...WRITE, tag, scope: 'orders:write', limit_class: 'cancel', path, path_parameters } as const

/** Endpoints of the protections of market makers. */
export const TRADING_PROTECTION_ENDPOINTS = {
  set_market_maker_protection: {
    ...write,
    method: 'PUT',
    operation_id: 'set_market_maker_protection',
    summary: 'Protect the quotes in a market',
    description: `Cancels all orders of the account in the market once so many of its resting orders' fills, or so much quantity, fall into the window. New orders there are refused until frozen_ms have passed. A change begins a new window; a freeze in force goes on. ${ONCE}`,
    body: ProtectionRequest,
    data: MarketMakerProtection,
    errors: ['MARKET_NOT_FOUND'],
  },
  list_market_maker_protections: {
    ...read,
    operation_id: 'list_market_maker_protections',
    path: '/account/market-maker-protections',
    summary: 'List protections',
    description: 'Protections of the account in all markets; sorted by market_id.',
    path_parameters: {},
    query: PAGING,
    data: MarketMakerProtection,
    envelope: 'collection',
    errors: [],
  },
  get_market_maker_protection: {
    ...read,
    operation_id: 'get_market_maker_protection',
    path,
    path_parameters,
    summary: 'Get the protection in a market',
    description: 'Its limits and its last trigger.',
    query: {},
    data: MarketMakerProtection,
    envelope: 'single',
    errors: ['PROTECTION_NOT_FOUND'],
  },
  reset_market_maker_protection: {
    ...write,
    operation_id: 'reset_market_maker_protection',
    path: `${path}/reset`,
    summary: 'End a freeze',
    description: `New orders are accepted again, and a new window begins. ${ONCE}`,
    body: ResetProtectionRequest,
    data: MarketMakerProtection,
    errors: ['PROTECTION_NOT_FOUND'],
  },
  remove_market_maker_protection: {
    ...write,
    method: 'DELETE',
    operation_id: 'remove_market_maker_protection',
    summary: 'Remove the protection in a market',
    description: `Ends a freeze, too. The response shows the protection that was removed. ${ONCE}`,
    body: null,
    data: MarketMakerProtection,
    errors: ['PROTECTION_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>

import type { RouteHandlers } from '../server/handler.ts'
import { INDEX_PRICE_ROUTES } from './index-prices.ts'
import { INDEX_ROUTES } from './indexes.ts'
import { MARKET_PRICE_ROUTES } from './market-prices.ts'
import { MARKET_ROUTES } from './markets.ts'
import { SERVICE_ROUTES } from './service.ts'

/** What answers each operation of protocol/endpoints. */
export const ROUTE_HANDLERS: RouteHandlers = {
  ...INDEX_ROUTES,
  ...INDEX_PRICE_ROUTES,
  ...MARKET_ROUTES,
  ...MARKET_PRICE_ROUTES,
  ...SERVICE_ROUTES,
}

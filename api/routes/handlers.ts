import type { RouteHandlers } from '../server/handler.ts'
import { ELIGIBILITY_ROUTES } from './eligibility.ts'
import { GOVERNANCE_ROUTES } from './governance.ts'
import { INDEX_PRICE_ROUTES } from './index-prices.ts'
import { INDEX_ROUTES } from './indexes.ts'
import { LOOKUP_ROUTES } from './look-ups.ts'
import { MARKET_PRICE_ROUTES } from './market-prices.ts'
import { MARKET_ROUTES } from './markets.ts'
import { NOTICE_ROUTES } from './notices.ts'
import { PROOF_ROUTES } from './proofs.ts'
import { RATING_ROUTES } from './ratings.ts'
import { ROBUSTNESS_ROUTES } from './robustness.ts'
import { SERVICE_ROUTES } from './service.ts'
import { SEVERITY_ROUTES } from './severity.ts'
import { SEVERITY_INDEX_ROUTES } from './severity-indexes.ts'

/** Handler of each public operation. */
export const ROUTE_HANDLERS: RouteHandlers = {
  ...INDEX_ROUTES,
  ...INDEX_PRICE_ROUTES,
  ...ROBUSTNESS_ROUTES,
  ...MARKET_ROUTES,
  ...MARKET_PRICE_ROUTES,
  ...RATING_ROUTES,
  ...SEVERITY_ROUTES,
  ...SEVERITY_INDEX_ROUTES,
  ...GOVERNANCE_ROUTES,
  ...NOTICE_ROUTES,
  ...ELIGIBILITY_ROUTES,
  ...LOOKUP_ROUTES,
  ...PROOF_ROUTES,
  ...SERVICE_ROUTES,
}

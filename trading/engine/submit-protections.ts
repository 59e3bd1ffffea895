import { fromScaled } from '../../primitives/scaled.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { orderErrors } from '../order/order-errors.ts'
import type { Protection } from '../order/protection.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import { protectionResource } from '../projections/protection.ts'
import { answered, refused } from './answers.ts'
import type { Execution } from './execution.ts'
import { protect, publishProtection } from './protect-maker.ts'
import { type Account, accountOf, type Market } from './state.ts'
import type { Answer, Refusal, RemoveProtection, ResetProtection, SetProtection } from './submission.ts'
import { unknownRecord } from './unknown-record.ts'

/** Sets the protection of an account in a market, or changes its limits. The window begins anew; a freeze in force goes on. */
export function setProtection(execution: Execution, submission: SetProtection): Answer {
  const { identity, market_id, fill_count_max, window_ms, frozen_ms } = submission
  const market = execution.state.markets.get(market_id)
  if (market === undefined) return refused(orderErrors.market_unknown(market_id))
  const quantity_max = quantityOf(submission, market.terms)
  if (typeof quantity_max === 'object' && quantity_max !== null) return refused(quantity_max)
  const account = accountOf(execution.state, identity.account_id)
  const protection = account.protections.get(market_id) ?? newProtection(account, market_id)
  Object.assign(protection, { fill_count_max, quantity_max, window_ms, frozen_ms, window_fills: [] })
  protect(account, market, protection)
  publishProtection(execution, protection, 'set')
  return shown(protection, market)
}

/** Ends a freeze; the window begins anew. */
export function resetProtection(execution: Execution, submission: ResetProtection): Answer {
  const found = find(execution, submission)
  if ('code' in found) return refused(found)
  const { protection, market } = found
  protection.frozen_until = null
  protection.window_fills = []
  publishProtection(execution, protection, 'reset')
  return shown(protection, market)
}

/** Removes a protection with its freeze. */
export function removeProtection(execution: Execution, submission: RemoveProtection): Answer {
  const found = find(execution, submission)
  if ('code' in found) return refused(found)
  const { account, protection, market } = found
  protection.is_active = false
  protection.frozen_until = null
  protection.window_fills = []
  protect(account, market, null)
  publishProtection(execution, protection, 'removed')
  return shown(protection, market)
}

function newProtection({ account_id }: Account, market_id: string): Protection {
  return {
    ...{ account_id, market_id },
    ...{ fill_count_max: 0, quantity_max: null, window_ms: 0, frozen_ms: 0 },
    window_fills: [],
    frozen_until: null,
    triggered_at: null,
    trigger_count: 0,
    is_active: true,
    ...{ updated_at: 0, engine_sequence: 0 },
  }
}

/** Returns the limit at the scale of the market; null: none; or why it is refused. */
function quantityOf({ quantity_max: text }: SetProtection, terms: MarketTerms): number | null | Refusal {
  if (text === null) return null
  const { quantity_scale, quantity_increment } = terms
  const quantity = wholeAtScale(text, quantity_scale)
  if (quantity !== null && quantity > 0 && quantity % quantity_increment === 0) return quantity
  const step = fromScaled(BigInt(quantity_increment), quantity_scale)
  const message = `quantity_max is ${text}; allowed: null, or a multiple of ${step} above 0`
  return { code: 'VALIDATION_BODY_INVALID', message, facts: { field: 'quantity_max' } }
}

type Found = { readonly account: Account; readonly protection: Protection; readonly market: Market }

function find({ state }: Execution, { identity, market_id }: ResetProtection | RemoveProtection): Found | Refusal {
  const account = accountOf(state, identity.account_id)
  const protection = account.protections.get(market_id)
  if (protection !== undefined) return { account, protection, market: state.markets.get(market_id)! }
  return unknownRecord('protection', market_id)
}

function shown(protection: Protection, { terms }: Market): Answer {
  return answered(200, protectionResource(protection, terms.quantity_scale))
}

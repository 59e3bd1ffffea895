import { bucket, closed, type Limit, one, rejected } from './limit-rows.ts'
import {
  API_KEYS,
  CANCELED_LISTED_MAX,
  ENGINE,
  OPEN_ORDERS,
  PROTECTIONS,
  REJECTED_ORDERS,
  TRANSFERS,
} from './limits.ts'

const REFUSALS = 'tidemark_engine_refusals_total'
const RISK = 'trading/engine/check-risk.ts'
const REJECTIONS = 'trading/engine/rejection-budget.ts'
/** Limits of accounts' trading and of the engine, as rows of the one table. */
export const OF_TRADING: readonly Limit[] = [
  one(
    'open_orders.of_account_max',
    OPEN_ORDERS.standard.max_open_orders,
    rejected('account', 'RISK_OPEN_ORDER_LIMIT', RISK, REFUSALS),
  ),
  one(
    'open_orders.of_market_max',
    OPEN_ORDERS.standard.max_open_orders_per_market,
    rejected('account', 'RISK_OPEN_ORDER_LIMIT', RISK, REFUSALS),
  ),
  one(
    'canceled_listed_max',
    CANCELED_LISTED_MAX,
    closed('request', 'the oldest are listed, all are found by `command_id`', 'trading/engine/submit-cancels.ts'),
  ),
  ...Object.entries(TRANSFERS).map(([name, value]) =>
    one(
      `transfers.${name}`,
      value,
      rejected('account', 'TRANSFER_LIMIT_EXCEEDED', 'trading/engine/transfers.ts', REFUSALS),
    ),
  ),
  ...Object.entries(API_KEYS).map(([name, value]) =>
    one(
      `api_keys.${name}`,
      value,
      rejected('account', 'API_KEY_LIMIT_EXCEEDED', 'trading/engine/key-limits.ts', REFUSALS),
    ),
  ),
  ...bucket('rejected_orders', REJECTED_ORDERS, rejected('account', 'RATE_LIMIT_EXCEEDED', REJECTIONS, REFUSALS)),
  one(
    'rejected_orders.blocked_cost',
    REJECTED_ORDERS.blocked_cost,
    closed('account', 'tokens that a rejected order of a blocked account costs', REJECTIONS, REFUSALS),
  ),
  ...Object.entries(PROTECTIONS).map(([name, value]) =>
    one(`protections.${name}`, value, rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/body-faults.ts')),
  ),
  one(
    'engine.slice_max',
    ENGINE.slice_max,
    closed(
      'process',
      'the others are changed in the next batches',
      'trading/engine/planned-ends.ts',
      'tidemark_engine_planned_ends',
    ),
  ),
  one(
    'engine.queue_max',
    ENGINE.queue_max,
    rejected(
      'process',
      'SERVICE_UNAVAILABLE',
      'trading/service/submission-queue.ts',
      'tidemark_engine_queue_refused_total',
    ),
  ),
  one(
    'engine.message_bytes_max',
    ENGINE.message_bytes_max,
    rejected('request', 'INTERNAL_ERROR', 'trading/service/frames.ts'),
  ),
]

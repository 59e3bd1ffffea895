import { closed, type Limit, one, rejected } from './limit-rows.ts'
import { WEBHOOKS } from './limits.ts'

const WEBHOOK = 'trading/engine/webhooks.ts'
const ATTEMPTS = 'tidemark_webhook_attempts_total'
const SENDER = 'api/webhooks/post-to-target.ts'
const CONCLUDED = 'api/webhooks/conclude-attempt.ts'
/** Limits of webhooks, as rows of the one table. */
export const OF_WEBHOOKS: readonly Limit[] = [
  one('webhooks.of_account_max', WEBHOOKS.of_account_max, rejected('account', 'WEBHOOK_LIMIT_EXCEEDED', WEBHOOK)),
  one('webhooks.waiting_max', WEBHOOKS.waiting_max, rejected('webhook', 'WEBHOOK_LIMIT_EXCEEDED', WEBHOOK)),
  ...(['redeliveries_max', 'url_length_max', 'overlap_max_s'] as const).map((name) =>
    one(
      `webhooks.${name}`,
      WEBHOOKS[name],
      rejected('request', 'VALIDATION_BODY_INVALID', 'api/server/body-faults.ts'),
    ),
  ),
  one(
    'webhooks.retry.first_ms',
    WEBHOOKS.retry.first_ms,
    closed(
      'webhook',
      'wait after a first failed attempt; doubled each time, less up to half by chance',
      CONCLUDED,
      ATTEMPTS,
    ),
  ),
  one(
    'webhooks.retry.max_ms',
    WEBHOOKS.retry.max_ms,
    closed('webhook', 'longest wait between two attempts', CONCLUDED, ATTEMPTS),
  ),
  one(
    'webhooks.give_up_ms',
    WEBHOOKS.give_up_ms,
    closed('webhook', 'the delivery is failed, the next event follows', CONCLUDED, 'tidemark_webhook_deliveries_total'),
  ),
  one(
    'webhooks.disable_after_ms',
    WEBHOOKS.disable_after_ms,
    closed('webhook', 'the webhook is disabled (failing)', CONCLUDED, 'tidemark_webhook_disabled_total'),
  ),
  one('webhooks.connect_ms', WEBHOOKS.connect_ms, closed('webhook', 'the attempt has failed', SENDER, ATTEMPTS)),
  one('webhooks.attempt_ms', WEBHOOKS.attempt_ms, closed('webhook', 'the attempt has failed', SENDER, ATTEMPTS)),
  one('webhooks.answer_bytes_max', WEBHOOKS.answer_bytes_max, closed('webhook', 'the rest is not read', SENDER)),
  one('webhooks.answer_kept_bytes', WEBHOOKS.answer_kept_bytes, closed('webhook', 'the rest is not kept', SENDER)),
  one(
    'webhooks.in_flight_max',
    WEBHOOKS.in_flight_max,
    closed(
      'process',
      'further webhooks wait for their turn',
      'api/webhooks/deliverer.ts',
      'tidemark_webhook_in_flight',
    ),
  ),
  one(
    'webhooks.deliveries_retention_ms',
    WEBHOOKS.deliveries_retention_ms,
    closed('webhook', 'older deliveries are removed', 'trading/store/webhooks/webhook-work.ts'),
  ),
  one(
    'webhooks.scanned_max',
    WEBHOOKS.scanned_max,
    closed('request', 'the page is shorter, has_more is true', 'api/webhooks/read-webhook-events.ts'),
  ),
  one(
    'webhooks.tolerance_s',
    WEBHOOKS.tolerance_s,
    closed('webhook', 'a receiver refuses the delivery', 'client/webhooks/verify-webhook.ts'),
  ),
]

import { postToTarget } from '../../api/webhooks/post-to-target.ts'
import { signatureHeaders } from '../../api/webhooks/webhook-secret.ts'
import { openTarget, targetRules } from '../../api/webhooks/webhook-target.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { WebhookEvent } from '../../protocol/resources/webhook.ts'
import { webhookResource } from '../../trading/projections/webhook.ts'
import type { WebhookRow } from '../../trading/projections/webhook-rows.ts'
import { WEBHOOK_TEST_TYPE } from '../../vocabulary/webhook.ts'
import type { Settings } from '../configuration.ts'
import { openKeyEncryptionKey, type SealingPorts } from '../trading/key-encryption-key.ts'

/** Sends one signed test event from this process, without recording it: what an operator sees of a receiver. */
export async function testReceiver(webhook: WebhookRow, settings: Settings, ports: SealingPorts, signal: AbortSignal) {
  const now = wallClock()
  const sealing = await openKeyEncryptionKey(settings, ports)
  const { webhook_id, account_id, engine_sequence } = webhook
  const event: WebhookEvent = {
    event_id: deriveId('whe', webhook_id, 'operator', now),
    event_type: WEBHOOK_TEST_TYPE,
    account_id,
    sequence: engine_sequence,
    occurred_at: formatMicros(now),
    data: webhookResource(webhook, now),
  }
  const body = JSON.stringify(event)
  const headers = signatureHeaders(webhook, sealing, { event_id: event.event_id, body }, now)
  const target = await openTarget(webhook.url, targetRules(settings.webhook_allowed_hosts))
  if ('failure' in target) return { webhook_id, url: webhook.url, ...target }
  const begun_ms = performance.now()
  const now_ms = () => Math.floor(wallClock() / 1000)
  const { status_code, failure, message, answer } = await postToTarget(target, { headers, body }, { now_ms, signal })
  const duration_ms = Math.round(performance.now() - begun_ms)
  return { webhook_id, url: webhook.url, address: target.address, status_code, duration_ms, failure, message, answer }
}

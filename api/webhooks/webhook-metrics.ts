import type { MetricSet } from '../admin/metric-set.ts'

/** Numbers of the process that delivers; all 0 in one that does not. */
export type WebhookGauges = {
  readonly delivers: boolean
  readonly webhooks: number
  readonly pending: number
  readonly failing: number
  readonly in_flight: number
  /** null: nothing is pending. */
  readonly oldest_pending_s: number | null
}

export type WebhookCounters = {
  attempted(outcome: string, took_s: number): void
  concluded(status: 'delivered' | 'failed'): void
  disabled(reason: string): void
}

const BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Adds the metrics of webhooks to those of a process. */
export function webhookMetrics(set: MetricSet, gauges: () => WebhookGauges): WebhookCounters {
  set.gauge('tidemark_webhook_delivers', '1: this process delivers webhooks; 0: another one does.', () =>
    gauges().delivers ? 1 : 0,
  )
  set.gauge('tidemark_webhooks', 'Webhooks that exist and are not disabled.', () => gauges().webhooks)
  set.gauge('tidemark_webhook_pending', 'Deliveries that wait for an attempt.', () => gauges().pending)
  set.gauge('tidemark_webhook_failing', 'Webhooks whose last attempt failed.', () => gauges().failing)
  set.gauge('tidemark_webhook_in_flight', 'Attempts under way.', () => gauges().in_flight)
  set.gauge(
    'tidemark_webhook_oldest_pending_seconds',
    'Age of the oldest pending delivery; 0: nothing is pending.',
    () => gauges().oldest_pending_s ?? 0,
  )
  const attempts = set.counter('tidemark_webhook_attempts_total', 'Attempts by outcome: accepted, or why not.', [
    'outcome',
  ])
  const seconds = set.histogram('tidemark_webhook_attempt_seconds', 'Seconds of an attempt.', BUCKETS_S)
  const deliveries = set.counter('tidemark_webhook_deliveries_total', 'Deliveries that were concluded, by status.', [
    'status',
  ])
  const disabled = set.counter('tidemark_webhook_disabled_total', 'Webhooks that were disabled, by reason.', ['reason'])
  return {
    attempted: (outcome, took_s) => {
      attempts.inc({ outcome })
      seconds.observe(took_s)
    },
    concluded: (status) => deliveries.inc({ status }),
    disabled: (reason) => disabled.inc({ reason }),
  }
}

/** Counters of a process without metrics. */
export const UNCOUNTED: WebhookCounters = {
  attempted: () => undefined,
  concluded: () => undefined,
  disabled: () => undefined,
}

import type { MetricSet } from '../../api/admin/metric-set.ts'
import { type Deliverer, STANDING_BY, startDeliverer } from '../../api/webhooks/deliverer.ts'
import { UNCOUNTED, type WebhookCounters, webhookMetrics } from '../../api/webhooks/webhook-metrics.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { createPool } from '../../trading/store/create-pool.ts'
import { createStreamReads } from '../../trading/store/read/stream-reads.ts'
import { describeFailure } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { ApiTrading } from '../trading/api-trading.ts'

/** Deliveries of webhooks by an API process. Of several processes of one database, one delivers. */
export type Webhooks = {
  /** Adds their metrics; before `start`. */
  addMetrics(set: MetricSet): void
  start(): void
  /** Ends the attempts under way; the next process tries them again. */
  close(): Promise<void>
}

/** Connections of the deliverer: the lease, the bell of commits, and reads. */
const POOL_SIZE = 6

/** Opens the deliveries of a process. Neither database nor engine must be available yet. */
export function openWebhooks({ ports, url }: ApiTrading, output: Pick<Output, 'log' | 'problem'>): Webhooks {
  const pool = createPool({ url, size: POOL_SIZE, name: 'tidemark webhooks', by_index: true })
  let counters: WebhookCounters = UNCOUNTED
  let deliverer: Deliverer | null = null
  return {
    addMetrics: (set) => {
      counters = webhookMetrics(set, () => deliverer?.gauges() ?? STANDING_BY)
    },
    start: () => {
      deliverer = startDeliverer({
        pool,
        stream_reads: createStreamReads(pool),
        engine: ports.engine,
        sealing: ports.sealing,
        targets: ports.webhook_targets,
        now: wallClock,
        random: Math.random,
        onFailure: (error, where) => output.problem(`${where}: ${describeFailure(error).error.message}`),
        log: (message, webhook_id) => output.log('info', message, { operation: webhook_id }),
        counters,
      })
    },
    close: async () => {
      await deliverer?.close()
      await pool.end()
    },
  }
}

import { createMetricSet, type MetricFacts, type MetricSet } from '../../api/admin/metric-set.ts'
import { feedMetrics } from '../../api/internal/feed-metrics.ts'
import { createMetrics } from '../../api/server/metrics.ts'
import { webhookMetrics } from '../../api/webhooks/webhook-metrics.ts'
import { createEngineMetrics } from '../../service/metrics/engine-metrics.ts'
import { keepingMetrics } from '../../service/metrics/keeping-metrics.ts'
import { logMetrics } from '../../service/metrics/log-metrics.ts'
import { workerMetrics } from '../../service/metrics/worker-admin.ts'
import { createProcessBoard } from '../../service/up/process-board.ts'

const NO_LINES = { logged: () => ({ error: 0, warn: 0, info: 0, debug: 0 }) }

/** Metrics are only described here, so nothing of this is ever read. */
function never(): never {
  throw new Error('a described metric is not read')
}

/** Returns the metrics of each process, in the order of the documents. */
function metricsOfProcesses(): readonly (readonly [process: string, MetricSet])[] {
  const up = createMetricSet()
  createProcessBoard().addTo(up)
  const common = createMetricSet()
  logMetrics(common, NO_LINES)
  const webhooks = createMetricSet()
  webhookMetrics(webhooks, never)
  const feeds = createMetricSet()
  feedMetrics(feeds, never)
  const keeping = createMetricSet()
  keepingMetrics(keeping, never)
  const of_api = { status: never, now_ms: never, poisoned_submissions: never, stream: never }
  return [
    ['all', common],
    [
      'api',
      createMetrics({
        ...of_api,
        history_reads: never,
        connections: never,
        unsent: never,
        account_reads: never,
        stuck_indexes: never,
      }),
    ],
    ['api', webhooks],
    ['api', feeds],
    ['api', keeping],
    ['engine', createEngineMetrics({ status: never, state: never }).set],
    ['up', up],
    ['worker', workerMetrics(() => false)],
  ]
}

/** Renders every metric of ours as a table: process, name, type, labels, meaning. */
export function renderMetricsTable(): string {
  const rows = metricsOfProcesses().flatMap(([process, set]) => set.describe().map((facts) => rowOf(process, facts)))
  return ['| process | metric | type | labels | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

function rowOf(process: string, { name, type, labels, help }: MetricFacts): string {
  return `| ${process} | \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`
}

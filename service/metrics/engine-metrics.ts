import { createMetricSet, type MetricSet } from '../../api/admin/metric-set.ts'
import { gaugeOfPoisoned } from '../../api/server/metrics.ts'
import type { EngineState } from '../../trading/engine/state.ts'
import { PoisonedBatch, PoisonedSubmission } from '../../trading/service/batch-failure.ts'
import { ENGINE_PHASES, type EngineStatus } from '../../trading/service/engine-client.ts'
import type { CommittedBatch } from '../../trading/service/leader.ts'

/** Upper bounds: a slice may hold the engine for 20 ms, a commit takes a few milliseconds. */
const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const SUBMISSIONS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

export type EngineMetricsPorts = {
  readonly status: () => EngineStatus
  /** State in memory; null: this engine does not lead. */
  readonly state: () => EngineState | null
}

/** Metrics of an engine process, with the callbacks that its engine reports to. */
export type EngineMetrics = {
  readonly set: MetricSet
  readonly onBatch: (batch: CommittedBatch) => void
  readonly onFault: (error: unknown) => void
}

/** Creates the metrics of an engine process. */
export function createEngineMetrics(ports: EngineMetricsPorts): EngineMetrics {
  const set = createMetricSet()
  gaugesOfStatus(set, ports)
  gaugesOfState(set, ports)
  const faults = set.counter('tidemark_engine_faults_total', 'Faults of the engine, by kind.', ['kind'])
  for (const kind of ['poisoned_batch', 'poisoned_submission', 'other']) faults.inc({ kind }, 0)
  return { set, onBatch: countBatches(set), onFault: (error) => faults.inc({ kind: faultKind(error) }) }
}

function faultKind(error: unknown): string {
  if (error instanceof PoisonedBatch) return 'poisoned_batch'
  return error instanceof PoisonedSubmission ? 'poisoned_submission' : 'other'
}

function gaugesOfStatus(set: MetricSet, { status }: EngineMetricsPorts): void {
  set.labelled(
    'tidemark_engine_phase',
    '1 for the phase of the engine: whether it holds the lease or waits.',
    'phase',
    () => Object.fromEntries(ENGINE_PHASES.map((phase) => [phase, Number(status().phase === phase)])),
  )
  set.gauge(
    'tidemark_engine_lease_epoch',
    'Number of the last lease that this engine held; 0: none.',
    () => status().epoch,
  )
  set.gauge('tidemark_engine_sequence', 'Sequence of the last committed event.', () => status().engine_sequence)
  set.gauge('tidemark_engine_queue_length', 'Submissions that wait for the next batch.', () => status().queued)
  set.totals('tidemark_engine_queue_refused_total', 'Submissions refused because the queue was full.', 'limit', () => ({
    queue_max: status().queue_refused,
  }))
  gaugeOfPoisoned(set, () => status().poisoned_submissions)
}

function gaugesOfState(set: MetricSet, { state }: EngineMetricsPorts): void {
  set.gauge('tidemark_engine_open_orders', 'Working orders of all accounts.', () => state()?.orders.size ?? 0)
  set.gauge('tidemark_engine_planned_ends', 'Orders whose end is planned and not yet carried out.', () => {
    const ends = state()?.planned_ends
    return ends === undefined ? 0 : ends.orders.length - ends.done
  })
}

function countBatches(set: MetricSet): EngineMetrics['onBatch'] {
  const submissions = set.histogram('tidemark_engine_batch_submissions', 'Submissions of each batch.', SUBMISSIONS)
  const held = set.histogram('tidemark_engine_hold_seconds', 'Seconds for which a batch held the engine.', SECONDS)
  const commit = set.histogram('tidemark_engine_commit_seconds', 'Seconds from sending a batch to its commit.', SECONDS)
  const orders = set.counter('tidemark_engine_orders_total', 'Moves of orders, by their new status.', ['status'])
  const fills = set.counter('tidemark_engine_fills_total', 'Fills; a trade has two.')
  const refusals = set.counter('tidemark_engine_refusals_total', 'Refused submissions and orders, by code.', ['code'])
  return (batch) => {
    submissions.observe(batch.submissions)
    held.observe(batch.held_ms / 1000)
    if (batch.is_written) commit.observe(batch.took_ms / 1000)
    for (const status of batch.order_statuses) orders.inc({ status })
    for (const code of batch.refusals) refusals.inc({ code })
    fills.inc(batch.fills)
  }
}

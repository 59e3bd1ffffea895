import { expect, test } from 'vitest'
import { createEngineMetrics } from '../../../service/metrics/engine-metrics.ts'
import { emptyState } from '../../../trading/engine/state.ts'
import { PoisonedBatch, PoisonedSubmission } from '../../../trading/service/batch-failure.ts'
import type { Ticket } from '../../../trading/service/submission-queue.ts'

const STATUS = {
  phase: 'leading',
  epoch: 3,
  engine_sequence: 7,
  queued: 5,
  poisoned_submissions: 1,
  queue_refused: 2,
} as const

test('the metrics of an engine tell its queue, batches, orders, refusals, faults and lease', async () => {
  const state = emptyState()
  const { set, onBatch, onFault } = createEngineMetrics({ status: () => STATUS, state: () => state })
  onBatch({
    submissions: 3,
    events: 4,
    engine_sequence: 7,
    took_ms: 4,
    is_written: true,
    held_ms: 30,
    order_statuses: ['open', 'open', 'filled'],
    fills: 2,
    refusals: ['RISK_OPEN_ORDER_LIMIT'],
  })
  onFault(new PoisonedBatch(new Error('a bug')))
  const ticket = { submission: { kind: 'stamp', at: 1 } } as unknown as Ticket
  onFault(new PoisonedSubmission(ticket, new Error('a bug')))
  onFault(new Error('the connection ended'))
  const text = await set.text()
  for (const line of [
    'tidemark_engine_phase{phase="leading"} 1',
    'tidemark_engine_phase{phase="standby"} 0',
    'tidemark_engine_lease_epoch 3',
    'tidemark_engine_queue_length 5',
    'tidemark_engine_queue_refused_total{limit="queue_max"} 2',
    'tidemark_engine_open_orders 0',
    'tidemark_engine_planned_ends 0',
    'tidemark_engine_poisoned_submissions 1',
    'tidemark_engine_batch_submissions_sum 3',
    'tidemark_engine_hold_seconds_bucket{le="0.02"} 0',
    'tidemark_engine_hold_seconds_bucket{le="0.05"} 1',
    'tidemark_engine_commit_seconds_count 1',
    'tidemark_engine_orders_total{status="open"} 2',
    'tidemark_engine_fills_total 2',
    'tidemark_engine_refusals_total{code="RISK_OPEN_ORDER_LIMIT"} 1',
    'tidemark_engine_faults_total{kind="poisoned_batch"} 1',
    'tidemark_engine_faults_total{kind="poisoned_submission"} 1',
    'tidemark_engine_faults_total{kind="other"} 1',
  ])
    expect(text.split('\n')).toContain(line)
})

test('a batch without anything to write says nothing about commits', async () => {
  const { set, onBatch } = createEngineMetrics({ status: () => STATUS, state: () => null })
  const nothing = { order_statuses: [], fills: 0, refusals: [] }
  onBatch({ submissions: 1, events: 0, engine_sequence: 7, took_ms: 0, is_written: false, held_ms: 0, ...nothing })
  const text = await set.text()
  expect(text).toContain('tidemark_engine_commit_seconds_count 0')
  expect(text).toContain('tidemark_engine_batch_submissions_count 1')
})

import { expect, test } from 'vitest'
import { createMetricSet } from '../../../api/admin/metric-set.ts'
import { feedMetrics } from '../../../api/internal/feed-metrics.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { fakeReader } from '../../support/fake-reader.ts'

const NOW = '2026-01-05T10:00:00Z'
const report = (venue_id: string, state: string, source_at: string): Row => {
  const counts = { gaps: 3, quarantined: 0, records_new: 3, sessions: 4, last_source_at: null }
  return { ...counts, health_id: 'ihl_a', venue_id, state, source_at, last_success_at: '2026-01-05T09:50:00Z' }
}
const indexes: readonly Row[] = ['active', 'archived'].map((status) => ({ index_id: `idx_${status}`, status }))
const reader = fakeReader({
  now: () => toMicros(NOW),
  catalog: { indexes: () => indexes },
  operations: {
    ingest: async () => [
      report('kalshi', 'down', '2026-01-05T09:59:30Z'),
      report('manifold', 'down', '2026-01-05T09:57:29Z'),
      report('usgs', 'ok', '2026-01-05T09:59:30Z'),
    ],
    scheduleActs: async () => [
      {
        schedule_id: 'ingest-venue/usgs',
        act: 'paused',
        actor: 'ann',
        reason: 'so',
        source_at: '2026-01-05T09:59:00Z',
      },
    ],
    backfills: async () => [],
  },
})
const observation = (index_id: string) => {
  return { row: { index_id, tick_at: '2026-01-05T09:58:00Z', quality_state: 'stale' }, seq: 1 }
}
const latest = { ...reader.latest, observation }

const textOf = async (read: Parameters<typeof feedMetrics>[1]) => {
  const set = createMetricSet()
  feedMetrics(set, read)
  return set.text()
}

test('every venue has a state, ages and counts; every published index has a quality; every pause has an age', async () => {
  const text = await textOf(() => ({ ...reader, latest }))
  const lines = [
    'tidemark_ingest_state{venue_id="kalshi"} 2',
    'tidemark_ingest_state{venue_id="manifold"} 3',
    'tidemark_ingest_state{venue_id="usgs"} 4',
    'tidemark_ingest_success_age_seconds{venue_id="kalshi"} 600',
    'tidemark_ingest_gaps_total{venue_id="kalshi"} 3',
    'tidemark_index_level_age_seconds{index_id="idx_active"} 120',
    'tidemark_index_quality{index_id="idx_active"} 4',
    'tidemark_schedule_paused_seconds{schedule_id="ingest-venue/usgs"} 60',
  ]
  for (const line of lines) expect(text).toContain(line)
  expect(text).not.toMatch(/idx_archived|data_age_seconds\{/)
})

test('a warehouse that cannot be read yet has no values, and the other metrics are answered', async () => {
  const text = await textOf(() => {
    throw new RangeError('not read yet')
  })
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('tidemark_ingest_state{')
})

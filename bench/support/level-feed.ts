import type { StreamOptions } from '../../api/stream/attach-stream.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { Catalog, FeedCommit } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'

const NOON = Date.UTC(2026, 0, 1, 12) * 1000
const INDEX: Row = { index_id: 'idx_bench', status: 'active', published_at: formatMicros(NOON) }
/** A level that is never stale: what the clock says is no part of the comparison. */
const VERSION: Row = { calculation_frequency: 'P36500D' }
const EPOCH = '00000000-0000-4000-8000-000000000000'

/** Reader of one index whose levels are committed by hand; feeds a stream without a warehouse. */
export function levelFeed() {
  const listeners = new Set<(commit: FeedCommit) => void>()
  let version = 0
  let last_seq = 0
  const found = { index: () => INDEX, indexes: () => [INDEX], version: () => VERSION, methodology: () => null }
  const catalog = found as unknown as Catalog
  const reader: StreamOptions['reader'] = {
    instant: () => null,
    status: () => ({ phase: 'ready', stale_since: null, reason: null, unread: [], versions: {} }),
    catalog: () => catalog,
    indexAsOf: () => INDEX,
    latest: {
      observation: () => null,
      quotes: () => [],
      lastTrades: () => [],
      marks: () => [],
      book: () => null,
      severityValue: () => null,
    },
    assessments: {
      current: () => null,
      allCurrent: () => [],
      inForce: async () => ({ row: null, waits: false, exists: false }),
      records: async () => [],
      record: async () => null,
      isAssessed: () => false,
    },
    feed: {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      recent: () => [],
      epoch: () => EPOCH,
      head: () => last_seq,
      last: () => last_seq,
      onStatus: () => () => undefined,
    },
  }
  return {
    reader,
    /** Commits some levels at once. */
    commit(count: number): FeedCommit {
      version += 1
      const rows = Array.from({ length: count }, (_, ordinal) => {
        const [seq, prev_seq] = [version * 2 ** 20 + ordinal, last_seq]
        last_seq = seq
        return { row: levelRow(version, ordinal), seq, prev_seq, previous: null }
      })
      const commit: FeedCommit = { table: 'index_observation', version, epoch: EPOCH, rows }
      for (const listener of listeners) listener(commit)
      return commit
    },
  }
}

function levelRow(version: number, ordinal: number): Row {
  const at = formatMicros(NOON + version * 1_000_000)
  return {
    observation_id: `iob_${String(version).padStart(16, '0')}${String(ordinal).padStart(16, '0')}`,
    revision: 1,
    index_id: 'idx_bench',
    index_version_id: 'idv_bench_1',
    methodology_id: 'mth_bench',
    methodology_version: '1.0.0',
    level: `${1000 + (version % 500)}.2500`,
    unit: 'index_points',
    tick_at: at,
    calculated_at: at,
    source_cutoff_at: at,
    published_at: at,
    quality_state: 'valid',
    underlying_quality_state: 'valid',
    coverage_ratio: '1.000000',
    confidence: '0.9000',
    link_factor: '1.000000000000',
    calculation_run_id: 'run_00000000000000000000000000000000',
    record_hash: `sha256:${'0'.repeat(64)}`,
  }
}

import { levelQuality } from '../../../pipelines/index/level-label.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { FeedCommit, FeedRow, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { missingIndex } from '../../missing-resource.ts'
import { isLevelStale } from '../../routes/index-prices.ts'
import type { StreamProjections } from '../projections.ts'
import type { Key, TopicEvent, TopicSource, TopicState, Wanted } from './topic-source.ts'

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'indexAsOf' | 'latest' | 'feed'>
  readonly project: StreamProjections
  /** Instant of the state in memory. */
  readonly at: () => Micros
}

/**
 * index.price: publishes every row of index_observation. The newest level is labeled as a read of it at that moment is; one of an
 * older tick as its record says.
 */
export function indexPriceSource({ reader, project, at }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['index.price'],
    check: checkIndex(reader),
    eventsOf: (commit, head_before, wanted) =>
      rowsOf(commit, head_before, wanted).map((event) => ({
        ...event,
        kind: event.row.revision === 1 ? 'published' : 'corrected',
        data: () => project.indexObservation(event.row, labeledAt(event.row, event.previous)),
      })),
    statesOf: ([index_id]) =>
      indexIds(reader, index_id).flatMap((id) => {
        const newest = reader.latest.observation(id)
        if (newest === null) return []
        const now = at()
        const state = stateOf(id, newest, () => project.indexObservation(newest.row, now))
        return [{ ...state, published_at: formatMicros(now) }]
      }),
  }
}

/** index.status: publishes a newest level that differs from the previous one in quality, version or the index's status. */
export function indexStatusSource({ reader, at }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['index.status'],
    check: checkIndex(reader),
    eventsOf: (commit, head_before, wanted) =>
      rowsOf(commit, head_before, wanted)
        .filter(({ row, previous }) => isStatusChange(reader, row, previous))
        .map((event) => ({
          ...event,
          kind: 'changed',
          data: () => statusBytes(reader, indexWhen(reader, event.row), event.row, toMicros(event.row.published_at)),
        })),
    statesOf: ([index_id]) => {
      const now = at() // the states are sent later, as they are now
      return indexIds(reader, index_id).map((id) => {
        const newest = reader.latest.observation(id)
        const index = reader.catalog(null).index(id)
        const row = newest?.row ?? index!
        return stateOf(id, { row, seq: newest?.seq ?? 0 }, () => statusBytes(reader, index, newest?.row ?? null, now))
      })
    },
  }
}

/** index.rebalance: publishes every row of index_version; the snapshot is the version in force. */
export function indexRebalanceSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  const known = (row: Row) => reader.catalog(null).version(String(row.index_version_id)) ?? row
  return {
    topic: TOPICS['index.rebalance'],
    check: checkIndex(reader),
    eventsOf: (commit, head_before, wanted) =>
      rowsOf(commit, head_before, wanted).map((event) => ({
        ...event,
        kind: 'changed',
        data: () => project.indexVersion(known(event.row)),
      })),
    statesOf: ([index_id]) =>
      indexIds(reader, index_id).flatMap((id) => {
        const active = reader.catalog(null).index(id)?.active_version_id
        const row = typeof active === 'string' ? reader.catalog(null).version(active) : null
        if (row === null) return []
        return [stateOf(id, { row, seq: reader.feed.head('index_version') }, () => project.indexVersion(row))]
      }),
  }
}

function stateOf(index_id: string, { row, seq }: { row: Row; seq: number }, data: () => Buffer): TopicState {
  return { key: [index_id], seq, published_at: String(row.published_at), data }
}

/** Returns the rows of wanted indexes in a commit, with their seqs in the table and among the rows of their index. */
function rowsOf(commit: FeedCommit, head_before: number, wanted: Wanted) {
  return commit.rows.flatMap(({ row, seq, prev_seq, previous }: FeedRow, at) => {
    const key: Key = [String(row.index_id)]
    const before = at === 0 ? head_before : commit.rows[at - 1]!.seq
    const places: Pick<TopicEvent, 'seq' | 'prev_seq'> = { seq, prev_seq: [before, prev_seq] }
    return wanted(key)
      ? [{ key, ...places, published_at: String(row.published_at), row, previous: previous?.row ?? null }]
      : []
  })
}

function indexIds({ catalog }: Pick<Reader, 'catalog'>, index_id: string | undefined): string[] {
  if (index_id !== undefined) return [index_id]
  return catalog(null)
    .indexes()
    .map((row) => String(row.index_id))
}

function checkIndex({ catalog }: Pick<Reader, 'catalog'>): TopicSource['check'] {
  return ([index_id]) => {
    if (index_id === undefined || catalog(null).index(index_id) !== null) return
    throw missingIndex(index_id, catalog(null).indexes())
  }
}

/** Returns the index as known when a level was published, so that every process sends the same. */
function indexWhen({ indexAsOf }: Pick<Reader, 'indexAsOf'>, row: Row): Row | null {
  return indexAsOf(String(row.index_id), toMicros(row.published_at))
}

function isStatusChange(reader: Pick<Reader, 'indexAsOf'>, row: Row, previous: Row | null): boolean {
  if (previous === null) return true
  if (toMicros(row.tick_at) < toMicros(previous.tick_at)) return false
  if (row.quality_state !== previous.quality_state || row.index_version_id !== previous.index_version_id) return true
  return indexWhen(reader, row)?.status !== indexWhen(reader, previous)?.status
}

/** Returns the instant at which an event's level is labeled: its publication; null: a newer level was known before. */
function labeledAt(row: Row, previous: Row | null): Micros | null {
  const is_newest = previous === null || toMicros(row.tick_at) >= toMicros(previous.tick_at)
  return is_newest ? toMicros(row.published_at) : null
}

function statusBytes({ catalog }: Pick<Reader, 'catalog'>, index: Row | null, level: Row | null, at: Micros): Buffer {
  return Buffer.from(
    JSON.stringify({
      index_id: level?.index_id ?? index?.index_id,
      status: index?.status ?? 'active',
      quality_state: level === null ? null : levelQuality(level, isLevelStale(catalog(null), level, at)),
      active_version_id: level?.index_version_id ?? index?.active_version_id ?? null,
      observation_id: level?.observation_id ?? null,
      tick_at: level?.tick_at ?? null,
      published_at: level?.published_at ?? index?.published_at,
    }),
  )
}

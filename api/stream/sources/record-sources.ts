import { ServiceError } from '../../../primitives/errors.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { FeedCommit, Placed, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket } from './market-checks.ts'
import type { TopicEvent, TopicSource, TopicState } from './topic-source.ts'

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'latest' | 'feed' | 'assessments'>
  readonly project: StreamProjections
}

/** market.rating: every record of every state is a message; a snapshot is what is in force. */
export function marketRatingSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  const states = ({ row, seq }: Placed) => stateOf('market_id', { row, seq }, project.marketRating)
  return {
    topic: TOPICS['market.rating'],
    check([market_id]) {
      if (market_id !== undefined) requirePublicMarket(reader, market_id, () => true, 'ratings')
    },
    eventsOf: eventsBy('market_id', project.marketRating),
    statesOf([market_id]) {
      if (market_id === undefined) return reader.assessments.allCurrent('market_rating').map(states)
      const series = { table: 'market_rating', key: { market_id } } as const
      const placed = reader.assessments.current(series, ALL)?.placed ?? null
      return placed === null ? [] : [states(placed)]
    },
  }
}

/** event.severity: every record of every state and type is a message; a snapshot is what is in force of each type. */
export function eventSeveritySource({ reader, project }: Ports): TopicSource<FeedCommit> {
  const states = ({ row, seq }: Placed) => stateOf('event_id', { row, seq }, project.severityAssessment)
  return {
    topic: TOPICS['event.severity'],
    check([event_id]) {
      const { catalog, assessments } = reader
      if (event_id === undefined || catalog(null).event(event_id) !== null || assessments.isAssessed(event_id, null))
        return
      throw unknown('EVENT_NOT_FOUND', 'event_id', event_id, 'an event of GET /v1/events, or one that was assessed')
    },
    eventsOf: eventsBy('event_id', project.severityAssessment),
    statesOf([event_id]) {
      if (event_id === undefined) return reader.assessments.allCurrent('severity_assessment').map(states)
      return TYPES.flatMap((assessment_type) => {
        const series = { table: 'severity_assessment', key: { event_id, assessment_type } } as const
        const placed = reader.assessments.current(series, ALL)?.placed ?? null
        return placed === null ? [] : [states(placed)]
      })
    },
  }
}

/** severity_index.value: every published value and every revision of one. */
export function severityIndexValueSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['severity_index.value'],
    check([severity_index_id]) {
      if (severity_index_id === undefined || reader.catalog(null).severityIndex(severity_index_id) !== null) return
      const allowed = 'an index of GET /v1/severity-indexes'
      throw unknown('SEVERITY_INDEX_NOT_FOUND', 'severity_index_id', severity_index_id, allowed)
    },
    eventsOf: eventsBy('severity_index_id', project.severityIndexValue),
    statesOf([severity_index_id]) {
      const known = reader.catalog(null).severityIndexes()
      const ids =
        severity_index_id === undefined ? known.map((row) => String(row.severity_index_id)) : [severity_index_id]
      return ids.flatMap((id) => {
        const placed = reader.latest.severityValue(id)
        return placed === null ? [] : [stateOf('severity_index_id', placed, project.severityIndexValue)]
      })
    },
  }
}

const ALL = { kind: null, methodology_id: null }
const TYPES = ['observed', 'forecast'] as const

/** A message for each row of a commit, keyed by one column. */
function eventsBy(column: string, bytes: (row: Row) => Buffer): TopicSource<FeedCommit>['eventsOf'] {
  return (commit, head_before, wanted) =>
    commit.rows.flatMap(({ row, seq, prev_seq }, at): TopicEvent[] => {
      const key = [String(row[column])]
      if (!wanted(key)) return []
      const before = at === 0 ? head_before : commit.rows[at - 1]!.seq
      const kind = row.revision === 1 ? 'published' : 'corrected'
      const places = { seq, prev_seq: [before, prev_seq], published_at: String(row.published_at) }
      return [{ key, kind, ...places, data: () => bytes(row) }]
    })
}

function stateOf(column: string, { row, seq }: Placed, bytes: (row: Row) => Buffer): TopicState {
  return { key: [String(row[column])], seq, published_at: String(row.published_at), data: () => bytes(row) }
}

function unknown(
  code: 'EVENT_NOT_FOUND' | 'SEVERITY_INDEX_NOT_FOUND',
  field: string,
  value: string,
  allowed: string,
): ServiceError {
  return new ServiceError(code, `${field} is ${JSON.stringify(value)}; allowed: ${allowed}`, { field, value })
}

import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { TOPICS } from '../../../protocol/stream/topics.ts'
import { ASSESSMENT_TYPES } from '../../../vocabulary/severity.ts'
import type { AssessmentAnswer, FeedCommit, Placed, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { missing, missingIndex } from '../../missing-resource.ts'
import type { OwnVenue } from '../../own-venue/own-venue.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket } from './market-checks.ts'
import type { TopicEvent, TopicSource, TopicState } from './topic-source.ts'

/** Finds a market listed here, which is known before the warehouse has stored it; null: there is none. */
type OwnMarkets = { readonly venue: Pick<OwnVenue, 'market'> } | null

type Ports = {
  readonly reader: Pick<Reader, 'catalog' | 'latest' | 'feed' | 'assessments'>
  readonly project: StreamProjections
}

/** market.rating: publishes every record in every state; the snapshot is REST's answer, even if nothing is in force. */
export function marketRatingSource({
  reader,
  project,
  own = null,
}: Ports & { readonly own?: OwnMarkets }): TopicSource<FeedCommit> {
  const { assessments, catalog } = reader
  const ownMarket = (market_id: string): Row | null => {
    const market = own?.venue.market(market_id) ?? null
    return market === null ? null : { published_at: formatMicros(market.revised_at) }
  }
  const stateOfMarket = (market_id: string, answer: AssessmentAnswer): TopicState => {
    if (answer.placed !== null) return stateOf('market_id', answer.placed, project.marketRating)
    const seq = reader.feed.last('market_rating', { market_id }) ?? 0
    const published_at = lastInstant(answer, catalog(null).market(market_id) ?? ownMarket(market_id))
    return { key: [market_id], seq, published_at, data: () => project.notRated(market_id) }
  }
  return {
    topic: TOPICS['market.rating'],
    check([market_id]) {
      if (market_id === undefined || ownMarket(market_id) !== null) return
      requirePublicMarket(reader, market_id, () => true, 'ratings')
    },
    eventsOf: eventsBy('market_id', project.marketRating),
    statesOf([market_id]) {
      if (market_id === undefined)
        return assessments.allCurrent('market_rating').map((one) => stateOfMarket(String(one.key.market_id), one))
      const answer = assessments.current({ table: 'market_rating', key: { market_id } }, ALL)
      return answer === null ? [] : [stateOfMarket(market_id, answer)]
    },
  }
}

/** event.severity: publishes every record in every state and of both types; the snapshot is REST's answer for each type. */
export function eventSeveritySource({ reader, project }: Ports): TopicSource<FeedCommit> {
  const { assessments, catalog } = reader
  const stateOfEvent = (event_id: string, assessment_type: string, answer: AssessmentAnswer): TopicState => {
    const { placed, waits } = answer
    if (placed !== null) return stateOf('event_id', placed, project.severityAssessment)
    const seq = reader.feed.last('severity_assessment', { event_id }) ?? 0
    const published_at = lastInstant(answer, catalog(null).event(event_id))
    // The type is part of the key: it may be that no record of either type is in force.
    const key = [event_id, assessment_type]
    return { key, seq, published_at, data: () => project.notAssessed(event_id, assessment_type, waits) }
  }
  return {
    topic: TOPICS['event.severity'],
    check([event_id]) {
      if (event_id === undefined || catalog(null).event(event_id) !== null || assessments.isAssessed(event_id, null))
        return
      throw missing('assessable_event', event_id)
    },
    eventsOf: eventsBy('event_id', project.severityAssessment),
    statesOf([event_id]) {
      if (event_id === undefined) {
        return assessments
          .allCurrent('severity_assessment')
          .map((one) => stateOfEvent(String(one.key.event_id), String(one.key.assessment_type), one))
      }
      const answers = ASSESSMENT_TYPES.flatMap((assessment_type) => {
        const answer = assessments.current({ table: 'severity_assessment', key: { event_id, assessment_type } }, ALL)
        return answer === null ? [] : [{ ...answer, assessment_type }]
      })
      // An event may be known only by its assessments of one type.
      const last_published_at = answers.reduce<Micros | null>((last, one) => one.last_published_at ?? last, null)
      return answers.map((one) => stateOfEvent(event_id, one.assessment_type, { ...one, last_published_at }))
    },
  }
}

/** severity_index.value: publishes every value and every revision of it. */
export function severityIndexValueSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['severity_index.value'],
    check([severity_index_id]) {
      if (severity_index_id === undefined || reader.catalog(null).severityIndex(severity_index_id) !== null) return
      throw missing('severity_index', severity_index_id)
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

/** governance.notice: publishes every notice; those about no index reach subscriptions without a filter. */
export function governanceNoticeSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['governance.notice'],
    check([index_id]) {
      if (index_id === undefined || reader.catalog(null).index(index_id) !== null) return
      throw missingIndex(index_id, reader.catalog(null).indexes())
    },
    eventsOf: (commit, head_before, wanted) =>
      eventsBy('index_id', project.notice)(commit, head_before, wanted).map((event) => ({
        ...event,
        kind: 'published',
      })),
    statesOf: () => [],
  }
}

const ALL = { kind: null, methodology_id: null }

/** Returns the instant of the answer that nothing is in force: that of the series' last record, or else of its subject. */
function lastInstant({ last_published_at }: AssessmentAnswer, about: Row | null): string {
  return last_published_at === null ? String(about?.published_at) : formatMicros(last_published_at)
}

/** Creates a message for each row of a commit, keyed by one column. */
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

import { type AssessmentFacts, currentAssessment } from '../../../pipelines/review/current-assessment.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'
import { ASSESSMENT_TYPES } from '../../../vocabulary/severity.ts'
import type { Listed } from '../asker.ts'
import type { CheckContext } from '../check.ts'
import { isOwn } from '../world.ts'

/** A rating or a severity assessment, with every field by its name. */
export type Assessment = Readonly<Record<string, unknown>> & Pick<MarketRating | SeverityAssessment, keyof Shared>
type Shared = Pick<MarketRating, keyof MarketRating & keyof SeverityAssessment>

/** Records of one subject: the ratings of a market, or the severity of an event by one type; addresses without /v1. */
export type AssessmentSeries = {
  /** Topic of the stream and its filter. */
  readonly topic: string
  readonly filter: Readonly<Record<string, string>>
  /** Address of the record in force, and of all records. */
  readonly in_force: string
  readonly history: string
  readonly query: Readonly<Record<string, string>>
  readonly id: 'rating_id' | 'assessment_id'
  readonly grade: 'band' | 'level'
  /** Grade of the answer that no record is in force. */
  readonly none: 'NR' | 'UNKNOWN'
  /** Address of one record. */
  readonly record: (id: string) => string
}

/** Markets and events looked at, each event by both types. */
const MARKETS_MAX = 5
const EVENTS_MAX = 4
const HISTORY_PAGES = 2

/** Returns sampled series: ratings of priced markets, and severity of events spread over their sources. */
export async function sampledSeries({ ask, world, sampler }: CheckContext): Promise<readonly AssessmentSeries[]> {
  const markets = await world.priced(ask)
  const some = [...markets.filter(isOwn).slice(0, 1), ...markets.filter((market) => !isOwn(market))]
  const events = sampler.spread(
    (await world.events(ask)).data,
    EVENTS_MAX,
    ({ event_id }) => event_id,
    ({ source_mappings }) => source_mappings[0]?.venue_id ?? '',
  )
  const ratings = some.slice(0, MARKETS_MAX).map(({ market_id }) => ratingsOf(market_id))
  return [...ratings, ...events.flatMap(({ event_id }) => ASSESSMENT_TYPES.map((type) => severityOf(event_id, type)))]
}

function ratingsOf(market_id: string): AssessmentSeries {
  return {
    topic: 'market.rating',
    filter: { market_id },
    in_force: `/markets/${market_id}/rating`,
    history: `/markets/${market_id}/ratings`,
    query: {},
    id: 'rating_id',
    grade: 'band',
    none: 'NR',
    record: (id) => `/ratings/${id}`,
  }
}

function severityOf(event_id: string, assessment_type: string): AssessmentSeries {
  return {
    topic: 'event.severity',
    filter: { event_id },
    in_force: `/events/${event_id}/severity`,
    history: `/events/${event_id}/severity-history`,
    query: { assessment_type },
    id: 'assessment_id',
    grade: 'level',
    none: 'UNKNOWN',
    record: (id) => `/severity-assessments/${id}`,
  }
}

/** Lists the records of a series as of an instant; null: now. */
export function recordsOf({ ask }: CheckContext, { history, query }: AssessmentSeries, as_of: string | null) {
  return ask.list<Assessment>(history, as_of === null ? query : { ...query, as_of }, HISTORY_PAGES)
}

/** Returns the record that is in force of a list that has each record once; null: none is. */
export function inForceOf({ id }: AssessmentSeries, listed: Listed<Assessment>, at: string): Assessment | null {
  const facts = listed.data.map((record, i) => ({ ...factsOf(record, String(record[id]), i), record }))
  return currentAssessment(facts, toMicros(at))?.record ?? null
}

/** @param row_ordinal ordinal in the history, which lists the records of one instant in the order of their commit */
function factsOf(record: Assessment, record_id: string, row_ordinal: number): AssessmentFacts {
  const { issuer, review_state, effective_from, effective_to, published_at, override } = record
  return {
    record_id,
    chain_id: record_id,
    revision: 1,
    kind: issuer!.kind,
    review_state: review_state!,
    effective_from: toMicros(effective_from, 'effective_from'),
    effective_to: effective_to === null ? null : toMicros(effective_to, 'effective_to'),
    published_at: toMicros(published_at, 'published_at'),
    row_ordinal,
    overrides: override !== null,
  }
}

import {
  type ClarityRubric,
  type MarketRules,
  rulesDocument,
  rulesText,
  scoreRules,
} from '../../pipelines/rating/clarity-rubric.ts'
import { componentsOfMarket } from '../../pipelines/rating/components-of-market.ts'
import type { MeasuredMarket, ScoredRules } from '../../pipelines/rating/measured.ts'
import { RATING_PARAMETERS } from '../../pipelines/rating/methodology.ts'
import { modelRating, type Rated, type RatingRecord } from '../../pipelines/rating/rating-record.ts'
import { AUTHORITY, type SourceFact } from '../../pipelines/rating/venue-facts.ts'
import { Decimal } from '../../primitives/decimal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros, utcDay } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Band, RatedBand } from '../../vocabulary/rating.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard } from '../import/append-guard.ts'
import { checkRecordedStamps } from '../index/write-stamped.ts'
import { cutoffOf } from '../review/cutoff.ts'
import { publishAssessmentMethodologies } from '../review/publish-assessment-methodologies.ts'
import { loadScoring, type Scoring, type ScoringFiles } from './load-scoring.ts'
import { MEASURED_TABLES, type Measured, measureMarkets } from './measure-markets.ts'

export type RatingRun = {
  /** The cutoff; null: now. */
  readonly at: Instant | null
  readonly clock: ImportClock
  readonly files?: ScoringFiles
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

export type RatingReport = {
  readonly observation_cutoff_at: Instant
  readonly markets: number
  readonly published: number
  /** Rated before, on the same day. */
  readonly already_published: number
  readonly bands: Readonly<Partial<Record<Band, number>>>
  /** Count of each reason, the most frequent first. */
  readonly reasons: Readonly<Record<string, number>>
  readonly commits: number
}

/** Rows of one commit at most: keeps memory flat. */
const COMMIT_ROWS_MAX = 5_000

/**
 * Rates every market that is not decided, once a market and UTC day: the same day again publishes what is missing of it.
 *   wall      published now, from what is known now and was received by the cutoff
 *   recorded  published at the cutoff, from what was published by then
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, VALIDATION_AS_OF_IN_FUTURE, VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function runRatings({ at, clock, files, warehouse, signal }: RatingRun): Promise<RatingReport> {
  const cutoff = await cutoffOf(at, warehouse)
  const stamp: Stamp = clock === 'recorded' ? { kind: 'recorded', at: cutoff } : { kind: 'wall' }
  const scoring = await loadScoring(files)
  const guard = await openAppendGuard(warehouse, ['market_rating'])
  const as_of = clock === 'recorded' ? cutoff : null
  const session = await openReadSession(warehouse, { as_of, tables: MEASURED_TABLES, pin: false })
  try {
    const measured = await measureMarkets(session, cutoff, RATING_PARAMETERS.measure)
    const past = await loadPast(session, cutoff)
    const due = measured.markets.filter(({ market_id }) => past.get(market_id)?.has_today !== true)
    const records = rateAll(due, measured, past, scoring, cutoff)
    await checkRecordedStamps(
      warehouse,
      records.slice(0, 1).map((row) => ({ table: 'market_rating' as const, row, stamp })),
    )
    if (records.length > 0) await publishAssessmentMethodologies(warehouse, stamp)
    let commits = 0
    for (let from = 0; from < records.length; from += COMMIT_ROWS_MAX) {
      signal?.throwIfAborted()
      const part = records.slice(from, from + COMMIT_ROWS_MAX)
      const app_id = `RATE_MARKETS/${sha256Hex(part.map(({ rating_id }) => rating_id).join(' '))}`
      await guard.append('market_rating', part, { app_id, app_sequence: 1, stamp, operation: 'RATE_MARKETS' })
      commits += 1
    }
    return report(cutoff, measured.markets.length, records, commits)
  } finally {
    await session.close()
  }
}

type Past = Rated['past'] & { readonly has_today: boolean }
/** Past of a market that was never rated. */
export const NO_PAST: Past = {
  band: null,
  day_before: null,
  score_30d: null,
  previous_band: null,
  previous_score: null,
  has_today: false,
}

/** Loads the model's earlier ratings, as the session knows them. */
export async function loadPast(session: ReadSession, cutoff: Micros): Promise<ReadonlyMap<string, Past>> {
  const day = (back: number) => utcDay(cutoff - back * MICROS_PER_DAY)
  const back = day(RATING_PARAMETERS.measure.window_days)
  const rows = await session.query(readSql(import.meta.url, 'sql/rating_past.sql'), {
    today: day(0),
    day: day(1),
    back,
  })
  return new Map(rows.map((row) => [String(row.market_id), pastOf(row)]))
}

function pastOf(row: Row): Past {
  const text = (name: string) => (row[name] ?? null) as string | null
  const band = text('band') as Band | null
  const day_band = text('day_band') as Band | null
  return {
    band: text('rated_band') as RatedBand | null,
    day_before: day_band === null ? null : { band: day_band, score: text('day_score') },
    score_30d: text('score_back'),
    previous_band: band,
    previous_score: text('score'),
    has_today: row.has_today === true,
  }
}

function rateAll(
  markets: readonly MeasuredMarket[],
  measured: Measured,
  past: ReadonlyMap<string, Past>,
  scoring: Scoring,
  cutoff: Micros,
): RatingRecord[] {
  const score = rulesScorer(scoring.rubric)
  const venue_facts = new Map(scoring.facts.venues.map((fact) => [fact.venue_id, fact]))
  return markets.map((market) => {
    const venue_id = market.venue_id ?? ''
    const text = rulesText(market.rules)
    const { components, evidence } = componentsOfMarket({
      market,
      venue: measured.venues.get(venue_id) ?? null,
      venue_fact: venue_facts.get(venue_id) ?? null,
      facts_version: scoring.facts.facts.version,
      sources: text === null ? [] : sourcesOf(text, scoring.facts.sources),
      scored_rules: text === null ? null : score(market.rules!, text),
      series: measured.series.get(market.series) ?? { disputed: 0, resolved: 0 },
      cutoff,
      parameters: RATING_PARAMETERS.measure,
    })
    return modelRating({
      market_id: market.market_id,
      components,
      evidence,
      past: past.get(market.market_id) ?? NO_PAST,
      cutoff,
    })
  })
}

/** Scores each text once: markets of a series share theirs. */
function rulesScorer(rubric: ClarityRubric): (rules: MarketRules, text: string) => ScoredRules {
  const known = new Map<string, ScoredRules>()
  return (rules, text) => {
    const document = rulesDocument(rules)
    const found = known.get(document)
    if (found !== undefined) return found
    const { rubric_id, version } = rubric
    const scored = { rubric_id, version, items: scoreRules(text, rubric), text_hash: `sha256:${sha256Hex(document)}` }
    known.set(document, scored)
    return scored
  }
}

function sourcesOf(text: string, sources: readonly SourceFact[]): SourceFact[] {
  const lower = text.toLowerCase()
  const named = sources.filter(({ patterns }) => patterns.some((pattern) => lower.includes(pattern.toLowerCase())))
  return named.sort((a, b) => new Decimal(AUTHORITY[b.authority]!).cmp(AUTHORITY[a.authority]!))
}

function report(cutoff: Micros, markets: number, records: readonly RatingRecord[], commits: number): RatingReport {
  const bands: Partial<Record<Band, number>> = {}
  const reasons: Record<string, number> = {}
  for (const { band, reason_codes } of records) {
    bands[band] = (bands[band] ?? 0) + 1
    for (const reason of reason_codes) reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {
    observation_cutoff_at: formatMicros(cutoff),
    markets,
    published: records.length,
    already_published: markets - records.length,
    bands,
    reasons: Object.fromEntries(Object.entries(reasons).sort(([, a], [, b]) => b - a)),
    commits,
  }
}

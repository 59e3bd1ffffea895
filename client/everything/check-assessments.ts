import { evidenceFault } from '../../pipelines/evidence/check-evidence.ts'
import type { EvidenceItem } from '../../pipelines/evidence/evidence-item.ts'
import { type PublishedRating, rateAgain } from '../../pipelines/rating/rate-again.ts'
import { RATING_METHODOLOGY_REFERENCE } from '../../pipelines/rating/rating-record.ts'
import { firstDifference } from '../../pipelines/review/same-value.ts'
import type { Value } from '../../pipelines/review/subject.ts'
import { assessAgain } from '../../pipelines/severity/assess-again.ts'
import { type LastApproved, SEVERITY_METHODOLOGY_REFERENCE } from '../../pipelines/severity/severity-record.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { MarketRating } from '../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../protocol/resources/severity.ts'
import { IN_FORCE_STATES, REVIEW_STATES } from '../../vocabulary/review.ts'
import type { PublicApi } from '../http/public-api.ts'
import type { ServedRecord } from './check-included.ts'
import type { Findings } from './report.ts'

/** Every state of every revision, with the figures of its evidence. */
const WHOLE = { review_state: REVIEW_STATES.join(','), include_corrections: true, expand: 'measured' }

type Asked = { readonly as_of: string; readonly findings: Findings }
type Assessed = MarketRating | SeverityAssessment

/** Computes the ratings of all markets again. @returns their records */
export async function checkRatings(api: PublicApi, { as_of, findings }: Asked): Promise<readonly ServedRecord[]> {
  const all = await api.list<MarketRating>('/ratings', { ...WHOLE, as_of })
  return [...bySubject(all, ({ market_id }) => market_id)].flatMap(([market_id, ratings]) => {
    checkEvidence('ratings', ratings, 'rating_id', findings)
    computed('ratings', market_id, () => checkModelRatings(ratings, findings), findings)
    return ratings.map((rating) => recordOf('rating', '/ratings', String(rating.rating_id), rating))
  })
}

/** Computes the observed assessments of all events again. @returns the records of all assessments */
export async function checkSeverity(api: PublicApi, { as_of, findings }: Asked): Promise<readonly ServedRecord[]> {
  const all = await api.list<SeverityAssessment>('/severity-assessments', { ...WHOLE, as_of })
  return [...bySubject(all, ({ event_id }) => event_id)].flatMap(([event_id, assessments]) => {
    checkEvidence('severity', assessments, 'assessment_id', findings)
    computed('severity', event_id, () => checkModelAssessments(assessments, findings), findings)
    return assessments.map((one) => recordOf('severity', '/severity-assessments', String(one.assessment_id), one))
  })
}

/** Groups records by their subject, each group in the order of the list. */
function bySubject<R>(records: readonly R[], subjectOf: (record: R) => string): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>()
  for (const record of records) {
    const group = groups.get(subjectOf(record))
    if (group === undefined) groups.set(subjectOf(record), [record])
    else group.push(record)
  }
  return groups
}

/** Computes again; figures that are none, or beyond their bounds, are a failure of the service and end nothing. */
function computed(check: 'ratings' | 'severity', subject: string, compute: () => void, findings: Findings): void {
  try {
    compute()
  } catch (error) {
    if (!isServiceError(error) && !(error instanceof SyntaxError)) throw error
    findings.fail(check, subject, error.message)
  }
}

/** Returns a record as it was logged: without the figures, which were asked for. */
function recordOf(kind: string, path: string, record_id: string, { evidence, ...rest }: Assessed): ServedRecord {
  const record = { ...rest, evidence: evidence.map(({ measured: _asked, ...item }) => item) }
  return { kind, record_id, published_at: String(rest.published_at), record, proof: `${path}/${record_id}/proof` }
}

function checkEvidence<R extends Assessed>(
  check: 'ratings' | 'severity',
  records: readonly R[],
  id: keyof R,
  findings: Findings,
): void {
  findings.count(check, records.length)
  for (const record of records) {
    const fault = evidenceFault(evidenceOf(record))
    if (fault !== null) findings.fail(check, String(record[id]), fault)
  }
}

function evidenceOf({ evidence }: Assessed): readonly EvidenceItem[] {
  return evidence.map((item) => ({ ...item, measured: item.measured ?? null })) as readonly EvidenceItem[]
}

/** First records of the model; a person's have no figures of ours, and say what the person signed. */
function isOfModel({ issuer, revision, override }: Assessed): boolean {
  return issuer?.kind === 'model' && revision === 1 && override === null
}

type Reference = { readonly methodology_id: string; readonly methodology_version: string }

/** Returns the records that this verifier computes again, and notes why it leaves others out. */
function computable<R extends Assessed>(
  check: 'ratings' | 'severity',
  records: readonly R[],
  own: Reference,
  findings: Findings,
): readonly R[] {
  const of_model = records.filter(isOfModel)
  const known = of_model.filter(
    (one) => one.methodology_id === own.methodology_id && one.methodology_version === own.methodology_version,
  )
  if (of_model.length < records.length) findings.skip(check, BY_PEOPLE)
  if (known.length < of_model.length)
    findings.skip(check, `some are not by ${own.methodology_id}@${own.methodology_version}`)
  return known
}

const BY_PEOPLE = 'what people decided is compared with the log alone: their acts are no public resources'

function checkModelRatings(ratings: readonly MarketRating[], findings: Findings): void {
  const known = computable('ratings', ratings, RATING_METHODOLOGY_REFERENCE, findings)
  const published = known.map((rating) => ({ ...rating, evidence: evidenceOf(rating) }) as unknown as PublishedRating)
  const by_cutoff = published.toSorted((a, b) => (a.observation_cutoff_at < b.observation_cutoff_at ? -1 : 1))
  rateAgain(by_cutoff).forEach((again, n) => {
    const { chain_id: _chain, day_band: _day, proposed_by: _by, act_id: _act, ...shown } = again
    compare('ratings', again.rating_id, by_cutoff[n]!, shown, findings)
  })
}

function checkModelAssessments(assessments: readonly SeverityAssessment[], findings: Findings): void {
  const observed = assessments.filter(({ assessment_type }) => assessment_type === 'observed')
  if (observed.length < assessments.length) findings.skip('severity', 'forecasts are compared with the log alone')
  for (const one of computable('severity', observed, SEVERITY_METHODOLOGY_REFERENCE, findings))
    compare(
      'severity',
      String(one.assessment_id),
      one,
      assessAgain(evidenceOf(one), lastBefore(observed, one)),
      findings,
    )
}

/** Returns the last assessment in force of those published before another. */
function lastBefore(observed: readonly SeverityAssessment[], one: SeverityAssessment): LastApproved {
  const before = observed.filter(
    ({ published_at, effective_from }) =>
      String(published_at) < String(one.published_at) && String(effective_from) <= String(one.effective_from),
  )
  const superseded = new Set(before.map(({ supersedes_id }) => supersedes_id))
  const in_force = before.filter(
    ({ assessment_id, review_state }) =>
      !superseded.has(assessment_id) && IN_FORCE_STATES.some((state) => state === review_state),
  )
  const order = (item: SeverityAssessment) => `${item.effective_from} ${item.published_at}`
  const last = in_force.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).at(-1)
  return last === undefined ? null : ({ level: last.level, score: last.score } as LastApproved)
}

function compare(
  check: 'ratings' | 'severity',
  subject: string,
  stated: object,
  again: object,
  findings: Findings,
): void {
  const fault = firstDifference(stated as Record<string, Value>, again as Record<string, Value>)
  if (fault !== null) findings.fail(check, subject, fault)
}

import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'

/** One record of a list: what it assesses, what it says, and what state it is in. */
export type Assessed = {
  readonly id: string
  readonly kind: 'rating' | 'severity'
  /** Market or event. */
  readonly subject_id: string
  /** null: not known. */
  readonly title: string | null
  readonly grade: string
  readonly score: string | null
  /** observed or forecast; null: ratings have no type. */
  readonly type: string | null
  readonly issuer: string
  readonly review_state: string
  readonly effective_from: string
  readonly published_at: string
  readonly reason_codes: readonly string[]
}

/** Act that ends the wait of a record, by its state. */
export const WAITS_FOR: Readonly<Record<string, string>> = {
  draft: 'its proposer: submit it again',
  under_review: 'another member: approve or return it',
  disputed: 'another member: decide the dispute',
}

export type Titles = ReadonlyMap<string, string>
type Issuer = MarketRating['issuer']

const issuerText = (issuer: Issuer) => (issuer === null ? 'none' : `${issuer.kind} ${issuer.issuer_id}`)

/** Converts a rating to a record of a list; NR by absence has no id and is none. */
export function assessedOfRating(rating: MarketRating, titles: Titles): Assessed {
  const { market_id, band, score, review_state, effective_from, published_at, reason_codes } = rating
  return {
    ...{ id: rating.rating_id ?? '', kind: 'rating', subject_id: market_id, title: titles.get(market_id) ?? null },
    ...{ grade: band, score, type: null, issuer: issuerText(rating.issuer), review_state: String(review_state) },
    ...{ effective_from: String(effective_from), published_at: String(published_at), reason_codes },
  }
}

/** Converts a severity assessment to a record of a list. */
export function assessedOfSeverity(one: SeverityAssessment, titles: Titles): Assessed {
  const { event_id, level, score, review_state, effective_from, published_at, reason_codes } = one
  return {
    ...{ id: one.assessment_id ?? '', kind: 'severity', subject_id: event_id, title: titles.get(event_id) ?? null },
    ...{ grade: level, score, type: one.assessment_type, review_state: String(review_state) },
    ...{ issuer: issuerText(one.issuer), effective_from: String(effective_from) },
    ...{ published_at: String(published_at), reason_codes },
  }
}

/** Returns the records that have every word of a search in their subject, issuer or reasons, newest first. */
export function found(records: readonly Assessed[], search: string | null): readonly Assessed[] {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const kept = records.filter((one) => {
    const text = [one.title ?? '', one.subject_id, one.id, one.issuer, ...one.reason_codes].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return kept.toSorted(newestFirst)
}

function newestFirst(a: Assessed, b: Assessed): number {
  const distance = Date.parse(b.published_at) - Date.parse(a.published_at)
  return distance === 0 ? (a.id < b.id ? -1 : 1) : distance
}

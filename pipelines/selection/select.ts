import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import type { RankingOrder, SelectionReason } from '../../vocabulary/eligibility.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'

/** A market of the universe, with its eligibility and the fact that ranks it. */
export type Candidate = {
  readonly market_id: string
  readonly outcome_id: string
  readonly venue_id: string
  readonly event_id: string
  readonly evaluation: Evaluation
  /** Rating in force; null: it has none. */
  readonly rating_id: string | null
  /** null: unknown, so that it cannot be ranked. */
  readonly ranking_value: string | null
}

/** Numbers of a selection. */
export type SelectionCounts = {
  readonly order: RankingOrder
  readonly count: number
  /** An incumbent stays while its rank is at most count + buffer. */
  readonly buffer: number
  /** Most constituents of one venue or event; null: no limit. */
  readonly per_venue_max: number | null
  readonly per_event_max: number | null
}

/** A candidate with the decision about it. */
export type Ranked = Candidate & {
  /** Place among the eligible candidates from 1; null: it cannot be ranked. */
  readonly rank: number | null
  readonly is_incumbent: boolean
  readonly is_selected: boolean
  readonly reason_codes: readonly SelectionReason[]
}

/**
 * Selects constituents. Eligible candidates are ranked by the fact, ties by market_id. Incumbents with a rank of at most
 * count + buffer come first, by rank; the others fill the places that are left, by rank. Who would exceed the limit of its venue or
 * event is passed over.
 * @param incumbents market ids of the version before
 * @returns every candidate: by rank, then the unranked by market_id
 */
export function selectConstituents(
  candidates: readonly Candidate[],
  counts: SelectionCounts,
  incumbents: ReadonlySet<string>,
): readonly Ranked[] {
  const { eligible, others } = splitCandidates(candidates)
  const ranked = [...eligible].sort(byRank(counts.order)).map((candidate, i) => ({ candidate, rank: i + 1 }))
  const keeps = ({ candidate, rank }: Placed) =>
    incumbents.has(candidate.market_id) && rank <= counts.count + counts.buffer
  const decisions = takePlaces([...ranked.filter(keeps), ...ranked.filter((one) => !keeps(one))], counts)
  const is_incumbent = ({ market_id }: Candidate) => incumbents.has(market_id)
  const unranked = [...others].sort((a, b) => (a.candidate.market_id < b.candidate.market_id ? -1 : 1))
  return [
    ...ranked.map(({ candidate, rank }) => {
      const refused = decisions.get(candidate.market_id)!
      const is_kept = refused === null && rank > counts.count && keeps({ candidate, rank })
      const codes = refused === null ? (is_kept ? (['KEPT_BY_BUFFER'] as const) : []) : [refused]
      const is_selected = refused === null
      return { ...candidate, rank, is_incumbent: is_incumbent(candidate), is_selected, reason_codes: codes }
    }),
    ...unranked.map(({ candidate, reason }) => ({
      ...candidate,
      rank: null,
      is_incumbent: is_incumbent(candidate),
      is_selected: false,
      reason_codes: [reason],
    })),
  ]
}

type Placed = { readonly candidate: Candidate; readonly rank: number }
type Unranked = { readonly candidate: Candidate; readonly reason: SelectionReason }

function splitCandidates(candidates: readonly Candidate[]) {
  const eligible: Candidate[] = []
  const others: Unranked[] = []
  for (const candidate of candidates) {
    if (candidate.evaluation.status !== 'eligible') others.push({ candidate, reason: 'NOT_ELIGIBLE' })
    else if (candidate.ranking_value === null) others.push({ candidate, reason: 'RANKING_FACT_UNKNOWN' })
    else eligible.push(candidate)
  }
  return { eligible, others }
}

function byRank(order: RankingOrder) {
  const sign = order === 'descending' ? -1 : 1
  const rankedBy = ({ ranking_value }: Candidate): Decimal => parseDecimal(ranking_value, 'ranking_value')
  return (a: Candidate, b: Candidate): number =>
    sign * rankedBy(a).cmp(rankedBy(b)) || (a.market_id < b.market_id ? -1 : 1)
}

/** Returns why each candidate gets no place, by market_id; null: it gets one. @param in_turn those who come first, first */
function takePlaces(
  in_turn: readonly Placed[],
  { count, per_venue_max, per_event_max }: SelectionCounts,
): ReadonlyMap<string, SelectionReason | null> {
  const decisions = new Map<string, SelectionReason | null>()
  const [venues, events] = [new Map<string, number>(), new Map<string, number>()]
  let taken = 0
  const isFull = (counts: Map<string, number>, key: string, max: number | null) =>
    max !== null && (counts.get(key) ?? 0) >= max
  for (const { candidate } of in_turn) {
    const { market_id, venue_id, event_id } = candidate
    if (taken >= count) decisions.set(market_id, 'RANK_BEYOND_COUNT')
    else if (isFull(venues, venue_id, per_venue_max)) decisions.set(market_id, 'VENUE_FULL')
    else if (isFull(events, event_id, per_event_max)) decisions.set(market_id, 'EVENT_FULL')
    else {
      decisions.set(market_id, null)
      venues.set(venue_id, (venues.get(venue_id) ?? 0) + 1)
      events.set(event_id, (events.get(event_id) ?? 0) + 1)
      taken += 1
    }
  }
  return decisions
}

import { ELIGIBILITY_VERDICTS, type EligibilityVerdict } from '../../../vocabulary/eligibility.ts'

/** Numbers of markets by decision. */
type VerdictCounts = Readonly<Record<EligibilityVerdict, number>>

/** A decision about one market by the policy in force and by the proposed one; `before` null: there is none in force. */
export type MarketDecision = {
  readonly market_id: string
  readonly before: EligibilityVerdict | null
  readonly after: EligibilityVerdict
  /** Rules of the proposed policy that do not hold. */
  readonly reason_codes: readonly string[]
}

/** A constituent whose eligibility would differ. */
type ConstituentMove = MarketDecision & { readonly constituent_id: string }

/** Markets that enter and leave a selection; some of many. */
export type SelectionChange = {
  readonly selected_before: number
  readonly selected_after: number
  readonly entering: readonly string[]
  readonly leaving: readonly string[]
  readonly unlisted: number
}

/** Effect of an eligibility policy on one index that selects by it. */
export type SelectingIndex = {
  readonly index_id: string
  readonly version: string
  readonly policy_version: number
  readonly constituents: number
  /** Constituents that the version in use accepts, and the proposed one does not. */
  readonly no_longer_eligible: readonly ConstituentMove[]
  readonly no_longer_eligible_unlisted: number
  /** Number of constituents that only the proposed version accepts. */
  readonly newly_eligible: number
  /** Selection from the facts known at as_of; null: one of both cannot be made. */
  readonly selection: SelectionChange | null
  /** Reason for a missing selection; null if there is a selection. */
  readonly selection_refused: string | null
}

/** Effects of an eligibility policy, from the facts known at as_of. */
export type EligibilityEffects = {
  /** null: the first version. */
  readonly version_before: number | null
  readonly version_after: number
  readonly markets: {
    readonly before: VerdictCounts | null
    readonly after: VerdictCounts
    readonly no_longer_eligible: number
    readonly newly_eligible: number
  }
  /** Indexes whose newest version selects by a version of the policy. */
  readonly indexes_selecting: number
  /** Those that lose most constituents first. */
  readonly indexes: readonly SelectingIndex[]
  readonly indexes_unlisted: number
  /** SHA-256 of the data: markets.csv. */
  readonly markets_sha256: string
}

/** Most indexes, and most ids of a kind of each, that a document lists. */
export const SELECTING_LISTED_MAX = 30
const IDS_LISTED_MAX = 10

/** Returns how many markets have each decision. */
function verdictCounts(verdicts: readonly EligibilityVerdict[]): VerdictCounts {
  const counts = ELIGIBILITY_VERDICTS.map((one) => [one, verdicts.filter((verdict) => verdict === one).length])
  return Object.fromEntries(counts) as VerdictCounts
}

/** Returns the counts of decisions, side by side. */
export function marketCounts(decisions: readonly MarketDecision[]): EligibilityEffects['markets'] {
  const before = decisions.map((one) => one.before).filter((one) => one !== null)
  return {
    before: before.length === 0 ? null : verdictCounts(before),
    after: verdictCounts(decisions.map((one) => one.after)),
    no_longer_eligible: decisions.filter(isLost).length,
    newly_eligible: decisions.filter(isWon).length,
  }
}

/** Returns the effect on the constituents of an index. */
export function constituentMoves(
  constituents: readonly { readonly constituent_id: string; readonly market_id: string }[],
  decisions: ReadonlyMap<string, MarketDecision>,
): Pick<SelectingIndex, 'constituents' | 'no_longer_eligible' | 'no_longer_eligible_unlisted' | 'newly_eligible'> {
  const moves = constituents.flatMap(({ constituent_id, market_id }): ConstituentMove[] => {
    const decision = decisions.get(market_id)
    return decision === undefined ? [] : [{ constituent_id, ...decision }]
  })
  const lost = moves.filter(isLost)
  return {
    constituents: constituents.length,
    no_longer_eligible: lost.slice(0, IDS_LISTED_MAX),
    no_longer_eligible_unlisted: Math.max(0, lost.length - IDS_LISTED_MAX),
    newly_eligible: moves.filter(isWon).length,
  }
}

function isLost({ before, after }: MarketDecision): boolean {
  return before === 'eligible' && after !== 'eligible'
}

function isWon({ before, after }: MarketDecision): boolean {
  return before !== null && before !== 'eligible' && after === 'eligible'
}

/** Compares two selections of markets. */
export function selectionChange(before: readonly string[], after: readonly string[]): SelectionChange {
  const [entering, leaving] = [without(after, before), without(before, after)]
  return {
    selected_before: before.length,
    selected_after: after.length,
    entering: entering.slice(0, IDS_LISTED_MAX),
    leaving: leaving.slice(0, IDS_LISTED_MAX),
    unlisted: [entering, leaving].reduce((sum, ids) => sum + Math.max(0, ids.length - IDS_LISTED_MAX), 0),
  }
}

function without(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return ids.filter((id) => !known.has(id)).sort()
}

/** Orders effects: most constituents lost first, then most markets that leave the selection, then the id. */
export function byLoss(a: SelectingIndex, b: SelectingIndex): number {
  const lost = (one: SelectingIndex) => one.no_longer_eligible.length + one.no_longer_eligible_unlisted
  const left = (one: SelectingIndex) => one.selection?.leaving.length ?? 0
  return lost(b) - lost(a) || left(b) - left(a) || (a.index_id < b.index_id ? -1 : 1)
}

/** Columns of the data: one line a market whose decision differs. */
const MARKET_FIELDS = ['market_id', 'status_before', 'status_after', 'reason_codes'] as const

/** Returns the data: markets whose decision differs, by id. An empty cell is no value. */
export function marketLines(decisions: readonly MarketDecision[]): string {
  const moved = decisions.filter(({ before, after }) => before !== after)
  const rows = moved.map(({ market_id, before, after, reason_codes }) =>
    [market_id, before ?? '', after, reason_codes.join(' ')].join(','),
  )
  return `${[MARKET_FIELDS.join(','), ...rows.sort()].join('\n')}\n`
}

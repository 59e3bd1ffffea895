import { Decimal, type DecimalString, formatDecimal, SCALE, sumDecimals } from '../../../primitives/decimal.ts'
import type { Instant } from '../../../primitives/instants.ts'
import type { ProposalState } from '../../../vocabulary/governance.ts'
import type { GovernedStatus, QualityState } from '../../../vocabulary/index-level.ts'

/** Newest published level of an index. */
type LastLevel = {
  readonly tick_at: Instant
  readonly level: DecimalString | null
  readonly quality_state: QualityState
}

/** An index that reads the same outcomes. */
export type SharingIndex = {
  readonly index_id: string
  /** Sum of the lesser target weights of the outcomes that both read the same way, 10 decimals. */
  readonly weight_shared: DecimalString
}

/** Dependents of an index that stops publishing. Each list has at most 20 members, and `unlisted` counts the others. */
export type Dependents = {
  /** Proposals about the index that have not ended. */
  readonly proposals: readonly { readonly proposal_id: string; readonly kind: string; readonly state: ProposalState }[]
  /** Changes that name the index as a substitute. */
  readonly substitute_of: readonly string[]
  /** Markets whose rules name the index. */
  readonly market_ids: readonly string[]
  /** Severity indexes that name an event of its constituents. */
  readonly severity_index_ids: readonly string[]
  /** Starts of announced compositions that would not be published. */
  readonly announced: readonly Instant[]
  /** Indexes that read some of the same outcomes, the most weight first. */
  readonly indexes: readonly SharingIndex[]
  readonly unlisted: number
}

/** Index that is to be used instead. */
export type Substitute = SharingIndex & {
  readonly status: string
  readonly version: string | null
  readonly last: LastLevel | null
  /** Ticks of the window at which both have a level. */
  readonly ticks_in_common: number
}

/** Effects of the end of an index, or of a pause. */
export type IndexEnd = {
  readonly status_before: GovernedStatus
  readonly status_after: GovernedStatus
  readonly effective_from: Instant
  /** Rule of the final value, as proposed; null: the index does not end. */
  readonly final_value: string | null
  readonly last: LastLevel | null
  /** Published levels in the look-back window, by state. */
  readonly states: readonly { readonly quality_state: QualityState; readonly ticks: number }[]
  readonly dependents: Dependents
  /** null: none is named, or the index does not end. */
  readonly substitute: Substitute | null
  /** SHA-256 of the data: levels.csv, the published levels beside those of the substitute. */
  readonly levels_sha256: string
}

/** Most members of a list of dependents. */
const LISTED_MAX = 20

/** Returns the lists, cut so that a document can be signed and logged whole. */
export function dependentsOf(lists: Omit<Dependents, 'unlisted'>): Dependents {
  const cut = Object.entries(lists).map(([name, list]) => [name, list.slice(0, LISTED_MAX)] as const)
  const unlisted = Object.values(lists).reduce((sum, list) => sum + Math.max(0, list.length - LISTED_MAX), 0)
  return { ...(Object.fromEntries(cut) as unknown as Omit<Dependents, 'unlisted'>), unlisted }
}

/** Newest version of an index, as far as its constituents are compared. */
export type Composition = {
  readonly index_id: string
  readonly constituents: readonly {
    readonly outcome_id: string
    readonly normalization: string
    readonly target_weight: DecimalString
  }[]
}

/** Returns the indexes that share outcomes with another one, the most weight first. */
export function sharingIndexes(of: Composition, others: readonly Composition[]): readonly SharingIndex[] {
  const shared = others
    .filter(({ index_id }) => index_id !== of.index_id)
    .map((other) => ({ index_id: other.index_id, weight: sharedWeight(of, other) }))
  return shared
    .filter(({ weight }) => !weight.isZero())
    .sort((a, b) => b.weight.cmp(a.weight) || (a.index_id < b.index_id ? -1 : 1))
    .map(({ index_id, weight }) => ({ index_id, weight_shared: formatDecimal(weight, SCALE.weight) }))
}

/** Returns the weight that two indexes put on the same outcomes, read the same way: the sum of the lesser weights. */
export function sharedWeight(a: Composition, b: Composition): Decimal {
  const weights = ({ constituents }: Composition) =>
    new Map(constituents.map((one) => [`${one.normalization} ${one.outcome_id}`, new Decimal(one.target_weight)]))
  const others = weights(b)
  const lesser = [...weights(a)].flatMap(([reading, weight]) => {
    const other = others.get(reading)
    return other === undefined ? [] : [Decimal.min(weight, other)]
  })
  return sumDecimals(lesser)
}

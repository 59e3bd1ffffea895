import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import type { Instant } from '../../../primitives/instants.ts'
import type { VersionClassName } from '../../../vocabulary/governance.ts'
import type { BackTest } from './back-test.ts'
import type { LevelDifferences } from './compare-levels.ts'
import type { CompositionChange } from './composition-change.ts'
import type { ManipulationCosts } from './manipulation-costs.ts'
import type { MissingInputs } from './missing-inputs.ts'
import type { ChangeKind } from './single-changes.ts'

/** Name of the calculation, which every engine performs alike; another calculation has another name. */
export const IMPACT_ENGINE = 'tidemark.impact.2'
/** Calculation of the impact of a version: every rule and term since the fourth, records that count as in replays since the fifth. */
export const VERSION_IMPACT_ENGINE = 'tidemark.impact.5'
/** Calculation of the impact of a methodology: marginal effects since the third, records that count as in replays since the fifth. */
export const METHODOLOGY_IMPACT_ENGINE = 'tidemark.impact.5'

/** Difference that one change alone makes to the levels of the base. */
export type MarginalEffect = {
  readonly ticks_different: number
  readonly states_different: number
  /** Median and largest of the differences without their sign; null: there is none. */
  readonly median_bp: string | null
  readonly largest_bp: string | null
}

/** Impact of a change of an index over a look-back window, as runners sign it. No clock is in it. */
export type ImpactDocument = {
  readonly statement: 'tidemark.impact.v1'
  readonly engine: string
  readonly change_id: string
  readonly index_id: string
  /** Version that was replayed as the base; null: a new index. */
  readonly version_before: string | null
  readonly version_after: string
  readonly base_hash: string | null
  readonly content_hash: string
  /** Knowledge of both replays, inclusive. */
  readonly as_of: Instant
  /** Ticks in [from, to). */
  readonly from: Instant
  readonly to: Instant
  /** Instant from which the new version rules in its replay. */
  readonly linked_at: Instant
  /** Whether the window has at least 30 days and ends with the last day that has levels; a shorter one shows too little. */
  readonly is_full_window: boolean
  readonly change_class: VersionClassName
  /** Threshold of the base's methodology that the class goes by, in basis points; null: a new index. */
  readonly restate_bp: string | null
  /** SHA-256 of the data: levels.csv. */
  readonly levels_sha256: string
  readonly levels: LevelDifferences
  readonly composition: CompositionChange
  readonly changes: readonly {
    readonly kind: ChangeKind
    readonly name: string
    readonly before: string | null
    readonly after: string | null
    /** null: the change cannot be made alone. */
    readonly effect: MarginalEffect | null
  }[]
  readonly missing_inputs: { readonly before: MissingInputs | null; readonly after: MissingInputs | null }
  readonly back_test: { readonly before: BackTest | null; readonly after: BackTest }
  /** Left out of reports of `tidemark.impact.1`; null: there is no such side. */
  readonly manipulation_cost?: { readonly before: ManipulationCosts | null; readonly after: ManipulationCosts }
}

/** Returns the text that runners sign the digest of: RFC 8785. */
export function impactText(document: object): string {
  return canonicalJson(document)
}

/** Returns the digest of an impact. */
export function impactDigest(text: string): string {
  return sha256Hex(text)
}

import type { Instant } from '../../../primitives/instants.ts'
import type { ChangeClass, ImpactKind } from '../../../vocabulary/governance.ts'
import type { EligibilityEffects } from './eligibility-effects.ts'
import type { IndexEnd } from './index-end.ts'
import type { MethodologyEffects } from './methodology-effects.ts'

/** Fields of every impact that is not of a version of an index. No clock is in it. */
type Header<K extends ImpactKind> = {
  readonly statement: 'tidemark.impact.v2'
  readonly engine: string
  readonly kind: K
  readonly change_id: string
  /** Id of what changes: a methodology, an eligibility policy or an index. */
  readonly target_id: string
  readonly base_hash: string | null
  readonly content_hash: string
  /** Knowledge of the whole report, inclusive. */
  readonly as_of: Instant
  /** Class that the change has as a proposal. */
  readonly change_class: ChangeClass
}

/** Look-back window: ticks in [from, to). */
type Window = { readonly from: Instant; readonly to: Instant }

/** Impact of a methodology: every index that uses it, as if its newest version used the proposed one. */
export type MethodologyImpact = Header<'methodology'> & Window & MethodologyEffects

/** Impact of an eligibility policy: every market, and every index that selects by it. */
export type EligibilityImpact = Header<'eligibility_policy'> & EligibilityEffects

/** Impact of a status or the end of an index: what depends on it, and what could replace it. */
export type EndImpact = Header<'index_status' | 'cessation'> & Window & IndexEnd

/** Impact of a change that is not a version of an index. */
export type ChangeImpact = MethodologyImpact | EligibilityImpact | EndImpact

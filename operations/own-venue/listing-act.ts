import type { Instant } from '../../primitives/instants.ts'
import type { CorrectResolution } from '../../trading/engine/settlement-commands.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'

export const LISTING_ACTOR = 'workflow:listing'

/** One thing that the listing does, exactly once: the same decision has the same act_id. */
export type ListingAct = {
  readonly act_id: string
  readonly market_id: string
  readonly reference_market_id: string
  readonly reason: string
  readonly command: OperatorCommand
}

/** Something that a person has to look at. */
export type ListingNote = { readonly market_id: string; readonly note: string }

/**
 * A correction of what a listing was resolved to, because its reference was corrected. Nothing is corrected by itself: once the window
 * has ended a person approves it (`approveCorrection`).
 */
export type ListingCorrection = {
  readonly market_id: string
  readonly reference_market_id: string
  /** The first instant at which it may be approved: the policy's dispute window after the statement was published. */
  readonly approvable_at: Instant
  readonly command: Omit<CorrectResolution, 'approved_by'>
}

/** Consequence of a reference's state for its listing. */
export type Followed = {
  readonly act: ListingAct | null
  readonly note: string | null
  readonly correction?: ListingCorrection | null
}

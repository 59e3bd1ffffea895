/** Fields every append-only record shares (interface, "Shared conventions"). */
export type Revised = {
  /** 1 for the first record of a chain, then + 1 for each later one. */
  readonly revision: number
  /** Id of the record that this one supersedes; null for the first and for a late one that never becomes current. */
  readonly supersedes_id: string | null
  /** Why it supersedes; present iff supersedes_id is. */
  readonly correction_reason: string | null
}

/** What a chain knows of itself: how many revisions there are, and the current one. */
export type ChainHead = { readonly revision_max: number; readonly current_id: string }

/** The fields of the first record of a chain. */
export const FIRST_REVISION: Revised = { revision: 1, supersedes_id: null, correction_reason: null }

/** The fields of the record that supersedes `head.current_id`. */
export function supersede(head: ChainHead, correction_reason: string): Revised {
  return { revision: head.revision_max + 1, supersedes_id: head.current_id, correction_reason }
}

/** The fields of a record that arrives late with an older received_at: numbered, but it supersedes nothing. */
export function lateRevision(head: ChainHead): Revised {
  return { revision: head.revision_max + 1, supersedes_id: null, correction_reason: null }
}

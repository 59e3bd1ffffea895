/** Fields shared by all append-only records (interface, "Shared conventions"). */
export type Revised = {
  /** 1 for the first record of a chain, then + 1 for each later one. */
  readonly revision: number
  /** Id of the superseded record; null for the first and for a late one that never becomes current. */
  readonly supersedes_id: string | null
  /** Reason for superseding; present iff supersedes_id is. */
  readonly correction_reason: string | null
}

/** Head of a chain: its greatest revision, and the id of the current record. */
export type ChainHead = { readonly revision_max: number; readonly current_id: string }

/** Revision fields of the first record of a chain. */
export const FIRST_REVISION: Revised = { revision: 1, supersedes_id: null, correction_reason: null }

/** Returns the fields of the record that supersedes `head.current_id`. */
export function supersede(head: ChainHead, correction_reason: string): Revised {
  return { revision: head.revision_max + 1, supersedes_id: head.current_id, correction_reason }
}

/** Returns the fields of a record that arrives late with an older received_at: numbered, but it supersedes nothing. */
export function lateRevision(head: ChainHead): Revised {
  return { revision: head.revision_max + 1, supersedes_id: null, correction_reason: null }
}

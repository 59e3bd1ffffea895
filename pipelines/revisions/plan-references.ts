import { isDeepStrictEqual } from 'node:util'
import { FIRST_REVISION, lateRevision, type Revised, supersede } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'

/** A revision of a market or event: its statement, in the form of its table's columns. */
export type StateRevision<S> = { readonly revision: number; readonly received_at: Micros; readonly state: S }

export type PlannedState<S, T> = {
  readonly record: T
  readonly revised: Revised
  readonly state: S
  /** received_at of the chain's first revision. */
  readonly created_at: Micros
}

/** Rule by which lines of an archive become revisions of one kind of reference record. */
export type ReferenceRule<S, T> = {
  readonly idOf: (record: T) => string
  /** Returns the state after `record` has been read after `before`. Merging a record twice changes nothing. */
  readonly merge: (before: S | null, record: T) => S
  readonly reasonOf: (before: S, after: S) => string
}

/**
 * Plans the revisions that an archive's lines add to reference records (markets, events). A line that states nothing new at its
 * received_at adds nothing, so a repeated import adds nothing. A line older than the current revision is late: numbered,
 * superseding nothing. A record's id is its chain's, so supersedes_id names a revision as `<id>.<revision>`.
 * @param sorted lines in commit order
 * @param known  stored revisions by id, in any order
 * @returns one per line, in the same order; null if the line states nothing new
 */
export function planReferences<S, T extends { readonly received_at: Micros }>(
  sorted: readonly T[],
  known: ReadonlyMap<string, readonly StateRevision<S>[]>,
  rule: ReferenceRule<S, T>,
): (PlannedState<S, T> | null)[] {
  const chains = new Map<string, StateRevision<S>[]>()
  return sorted.map((record) => {
    const id = rule.idOf(record)
    const chain = chains.get(id) ?? [...(known.get(id) ?? [])]
    chains.set(id, chain)
    const planned = planOne(id, chain, record, rule)
    if (planned === null) return null
    chain.push({ revision: planned.revised.revision, received_at: record.received_at, state: planned.state })
    return planned
  })
}

function planOne<S, T extends { readonly received_at: Micros }>(
  id: string,
  chain: readonly StateRevision<S>[],
  record: T,
  rule: ReferenceRule<S, T>,
): PlannedState<S, T> | null {
  const base = newest(chain.filter((r) => r.received_at <= record.received_at))
  const alike = chain.filter((r) => r === base || r.received_at === record.received_at)
  if (alike.some(({ state }) => isDeepStrictEqual(rule.merge(state, record), state))) return null
  const state = rule.merge(base?.state ?? null, record)
  const created_at = Math.min(record.received_at, ...chain.map((r) => r.received_at))
  return { record, revised: revisedAfter(id, newest(chain), record.received_at, chain, state, rule), state, created_at }
}

function revisedAfter<S, T>(
  id: string,
  current: StateRevision<S> | null,
  received_at: Micros,
  chain: readonly StateRevision<S>[],
  state: S,
  rule: ReferenceRule<S, T>,
): Revised {
  if (current === null) return FIRST_REVISION
  const revision_max = Math.max(...chain.map((r) => r.revision))
  const head = { revision_max, current_id: `${id}.${current.revision}` }
  return received_at < current.received_at ? lateRevision(head) : supersede(head, rule.reasonOf(current.state, state))
}

function newest<S>(revisions: readonly StateRevision<S>[]): StateRevision<S> | null {
  let found: StateRevision<S> | null = null
  for (const r of revisions) {
    const later =
      found === null ||
      r.received_at > found.received_at ||
      (r.received_at === found.received_at && r.revision > found.revision)
    if (later) found = r
  }
  return found
}

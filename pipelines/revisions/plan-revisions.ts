import { FIRST_REVISION, lateRevision, type Revised, supersede } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { type Facts, isEconomicDifference } from './economic-difference.ts'

/** A revision that the warehouse already holds. */
export type KnownRevision = {
  readonly id: string
  readonly revision: number
  readonly received_at: Micros
} & Facts

export type KnownChains = ReadonlyMap<string, readonly KnownRevision[]>

/** Rule by which records of one table form chains. */
export type RevisionRule<T> = {
  readonly chainOf: (record: T) => string
  /** Subject and instant, if a chain is of one of each. Absent: only `chainOf` tells chains apart. */
  readonly subject?: { readonly of: (record: T) => string; readonly at: (record: T) => Micros }
  /** Id of the record's row. A completion has one of its own: the record that it completes has that of its instants. */
  readonly idOf: (record: T, placed?: Placed) => string
  readonly factsOf: (record: T) => Facts
  /** Returns the correction_reason of the record that supersedes `previous`. */
  readonly reasonOf: (previous: Facts, next: Facts) => string
  /** Returns whether the record states nothing beyond `previous`, so it is a duplicate. Absent: every record is a statement. */
  readonly addsNothing?: (previous: Facts, record: T) => boolean
  /**
   * Returns whether `next` states all that `previous` does and more. Of two records of one key such a one completes the other.
   * Absent: they are in conflict.
   */
  readonly completes?: (previous: Facts, next: Facts) => boolean
  /** Whether a stored record is never completed. */
  readonly keeps_stored?: boolean
  /** Whether a record that confirms the current one is stored, so that it moves `confirmed_at`. Absent: it is a duplicate. */
  readonly keeps_confirmations?: true
}

/** Place of a record that confirms the one before it: the same revision again, and the id of the confirmed row. */
export type Confirmation = Revised & { readonly confirms_id: string }

/** Place of a record that completes another one of its key. */
type Completion = Revised & { readonly is_completion: true }

/** Place of a record that is stored. */
export type Placed = Revised | Confirmation | Completion

/** Decision about a record: its place, `duplicate` (states nothing new), or `conflict` (its key has other facts). */
export type Decision = Placed | 'duplicate' | 'conflict'

/** Part by which the id of a completion differs from that of the record that it completes: its revision. Empty of others. */
export function completionOf(placed?: Placed): readonly number[] {
  return placed !== undefined && 'is_completion' in placed ? [placed.revision] : []
}

/** The rule under a clock: published at the instant of the record that it completes, a completion would change a past answer. */
export function ofClock<T>(rule: RevisionRule<T>, clock: ImportClock): RevisionRule<T> {
  return { ...rule, keeps_stored: clock === 'recorded' }
}

type Timed = { readonly received_at: Micros; readonly line: number }

/** Sorts records in commit order: by received_at, then by their order in the file. */
export function inCommitOrder<T extends Timed>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => a.received_at - b.received_at || a.line - b.line)
}

/**
 * Plans the revision of every record in its correction chain. Revisions are numbered by received_at, whatever the archive says
 * about itself. The key of a record is (chain, received_at): facts that are equal or say less are a duplicate, those that say more
 * complete it, and others are a conflict that the earlier line or the warehouse wins. A record received before the chain's current one is late: it gets the next number but
 * supersedes nothing and never becomes current (methodology §14). A record without an economic difference from the one it
 * follows is no revision: it confirms that one.
 * @param sorted records in commit order
 * @param keys   rule.chainOf of each of them
 * @param known  revisions of these chains in the warehouse, in any order
 * @returns one decision per record, in the same order
 */
export function planRevisions<T extends Timed>(
  sorted: readonly T[],
  keys: readonly string[],
  known: KnownChains,
  rule: RevisionRule<T>,
): Decision[] {
  const chains = new Map<string, Chain<T>>()
  const again = known.size === 0 ? subjectsThatRepeat(sorted, rule) : null
  return sorted.map((record, ordinal) => {
    if (again?.has(rule.subject!.of(record)) === false) return FIRST_REVISION
    const key = keys[ordinal]!
    const open = chains.get(key)
    const chain = open ?? openChain<T>(known.get(key) ?? NOTHING_STORED)
    const decision = decide(chain, record, rule)
    if (typeof decision === 'object') {
      chain.revision_max = Math.max(chain.revision_max, decision.revision)
      chain.last = record
      chain.last_placed = decision
    }
    if (open === undefined) chains.set(key, chain)
    return decision
  })
}

/**
 * Finds the subjects whose records are not each about a later instant than the one before: only these can have several records
 * in one chain. A venue's messages about a market mostly follow each other, and a chain's key is slower to compute. null: the
 * rule does not name subjects.
 */
function subjectsThatRepeat<T>(sorted: readonly T[], { subject }: RevisionRule<T>): ReadonlySet<string> | null {
  if (subject === undefined) return null
  const latest = new Map<string, Micros>()
  const again = new Set<string>()
  for (const record of sorted) {
    const [of, at] = [subject.of(record), subject.at(record)]
    const before = latest.get(of)
    if (before === undefined || before < at) latest.set(of, at)
    else again.add(of)
  }
  return again
}

type Chain<T> = {
  readonly stored: readonly KnownRevision[]
  readonly current: KnownRevision | null
  revision_max: number
  /** The newest record planned so far, and its place. */
  last: T | null
  last_placed: Placed
}

const NOTHING_STORED: readonly KnownRevision[] = []

function openChain<T>(stored: readonly KnownRevision[]): Chain<T> {
  if (stored.length === 0)
    return { stored: NOTHING_STORED, current: null, revision_max: 0, last: null, last_placed: FIRST_REVISION }
  const current = stored.reduce((a, b) => (isLater(b, a) ? b : a))
  const revision_max = Math.max(...stored.map((r) => r.revision))
  return { stored, current, revision_max, last: null, last_placed: FIRST_REVISION }
}

const isLater = (a: KnownRevision, b: KnownRevision) =>
  a.received_at > b.received_at || (a.received_at === b.received_at && a.revision > b.revision)

function decide<T extends Timed>(chain: Chain<T>, record: T, rule: RevisionRule<T>): Decision {
  const twin = twinOf(chain, record.received_at, rule)
  if (twin === null) return follow(chain, record, rule)
  if (repeats(twin.facts, record, rule)) return 'duplicate'
  const is_completed = rule.completes?.(twin.facts, rule.factsOf(record)) === true
  if (!is_completed || (twin.is_stored && rule.keeps_stored === true)) return 'conflict'
  const decision = follow(chain, record, rule)
  return typeof decision === 'string' ? decision : { ...decision, is_completion: true }
}

/** Decides about a record by the one before it. */
function follow<T extends Timed>(chain: Chain<T>, record: T, rule: RevisionRule<T>): Decision {
  const { current, last, last_placed, revision_max } = chain
  if (current === null && last === null) return FIRST_REVISION
  const stored_rules = current !== null && (last === null || current.received_at > last.received_at)
  const previous_id = stored_rules ? current.id : rule.idOf(last!, last_placed)
  const head = { revision_max, current_id: previous_id }
  const previous = stored_rules ? current : rule.factsOf(last!)
  if (rule.addsNothing?.(previous, record) === true) return 'duplicate'
  const late = stored_rules && current.received_at > record.received_at
  if (!isEconomicDifference(previous, rule.factsOf(record))) {
    const confirms = rule.keeps_confirmations === true && !late
    const revision = stored_rules ? current.revision : last_placed.revision
    return confirms ? confirmationOf(revision, previous_id) : 'duplicate'
  }
  if (late) return repeatsEarlier(chain, record, rule) ? 'duplicate' : lateRevision(head)
  return supersede(head, rule.reasonOf(previous, rule.factsOf(record)))
}

/** Returns whether a late record states what was known when it was received, so it was dropped then, or would have been. */
function repeatsEarlier<T extends Timed>({ stored }: Chain<T>, record: T, rule: RevisionRule<T>): boolean {
  const earlier = stored.filter(({ received_at }) => received_at < record.received_at)
  if (earlier.length === 0) return false
  return !isEconomicDifference(
    earlier.reduce((a, b) => (isLater(b, a) ? b : a)),
    rule.factsOf(record),
  )
}

function confirmationOf(revision: number, confirms_id: string): Confirmation {
  return { revision, supersedes_id: null, correction_reason: null, confirms_id }
}

function repeats<T>(twin: Facts, record: T, rule: RevisionRule<T>): boolean {
  const facts = rule.factsOf(record)
  if (!isEconomicDifference(twin, facts) || rule.addsNothing?.(twin, record) === true) return true
  return rule.completes?.(facts, twin) === true
}

/** Returns the latest record of an instant, planned or stored. */
function twinOf<T extends Timed>({ last, stored }: Chain<T>, received_at: Micros, rule: RevisionRule<T>) {
  if (last?.received_at === received_at) return { facts: rule.factsOf(last), is_stored: false }
  const of_instant = stored.filter((known) => known.received_at === received_at)
  if (of_instant.length === 0) return null
  return { facts: of_instant.reduce((a, b) => (isLater(b, a) ? b : a)) as Facts, is_stored: true }
}

import { FIRST_REVISION, lateRevision, type Revised, supersede } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'

/** A revision that the warehouse already holds. */
export type KnownRevision = {
  readonly id: string
  readonly revision: number
  readonly received_at: Micros
} & Facts

/** What two records of one chain are compared by: equal facts at one instant are the same record twice. */
export type Facts = {
  /** The kind of statement, such as `open` or `final`. */
  readonly kind: string
  /** Its values in one canonical text. */
  readonly content: string
}

export type KnownChains = ReadonlyMap<string, readonly KnownRevision[]>

/** How the records of one table form chains. */
export type RevisionRule<T> = {
  readonly chainOf: (record: T) => string
  /** Where a chain is of one subject and one instant: both. Absent: only `chainOf` tells chains apart. */
  readonly subject?: { readonly of: (record: T) => string; readonly at: (record: T) => Micros }
  readonly idOf: (record: T) => string
  readonly factsOf: (record: T) => Facts
  /** correction_reason of the record that supersedes `previous`. */
  readonly reasonOf: (previous: Facts, next: Facts) => string
  /** True: the record states nothing that `previous` does not, so it is a duplicate. Absent: every record is a statement. */
  readonly addsNothing?: (previous: Facts, record: T) => boolean
}

/** A record's place in its chain; `duplicate`: it is stored already; `conflict`: its key is taken by other facts. */
export type Decision = Revised | 'duplicate' | 'conflict'

type Timed = { readonly received_at: Micros; readonly line: number }

/** Records in the order in which they are committed: by received_at, then as the file has them. */
export function inCommitOrder<T extends Timed>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => a.received_at - b.received_at || a.line - b.line)
}

/**
 * The place of every record in its correction chain.
 *
 * Revisions are numbered in the order of received_at, whatever the archive says about itself. The key of a record is
 * (chain, received_at): equal facts are a duplicate, other facts a conflict that the earlier line or the warehouse wins.
 * A record whose received_at is before that of the chain's current one comes late: it gets the next number but supersedes
 * nothing and never becomes current (methodology 4.13).
 * @param sorted records in commit order
 * @param keys   rule.chainOf of each of them
 * @param known  what the warehouse holds of these chains, in any order
 * @returns      one decision a record, in the same order
 */
export function planRevisions<T extends Timed>(
  sorted: readonly T[],
  keys: readonly string[],
  known: KnownChains,
  rule: RevisionRule<T>,
): Decision[] {
  const chains = new Map<string, Chain<T>>()
  const again = known.size === 0 ? subjectsThatRepeat(sorted, rule) : null
  return sorted.map((record, place) => {
    if (again?.has(rule.subject!.of(record)) === false) return FIRST_REVISION
    const key = keys[place]!
    const open = chains.get(key)
    const chain = open ?? openChain<T>(known.get(key) ?? NOTHING_STORED)
    const decision = decide(chain, record, rule)
    if (typeof decision === 'object') {
      chain.revision_max = decision.revision
      chain.last = record
    }
    if (open === undefined) chains.set(key, chain)
    return decision
  })
}

/**
 * The subjects of which not every record is about a later instant than those before it: only these can have several records of
 * one chain. A venue's messages about a market mostly follow each other, and what a chain is by its key takes longer to tell.
 * null: the rule does not say what its chains are about.
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
  /** The newest record planned so far. */
  last: T | null
}

const NOTHING_STORED: readonly KnownRevision[] = []

function openChain<T>(stored: readonly KnownRevision[]): Chain<T> {
  if (stored.length === 0) return { stored: NOTHING_STORED, current: null, revision_max: 0, last: null }
  const current = stored.reduce((a, b) => (isLater(b, a) ? b : a))
  return { stored, current, revision_max: Math.max(...stored.map((r) => r.revision)), last: null }
}

const isLater = (a: KnownRevision, b: KnownRevision) =>
  a.received_at > b.received_at || (a.received_at === b.received_at && a.revision > b.revision)

function decide<T extends Timed>(chain: Chain<T>, record: T, rule: RevisionRule<T>): Decision {
  const twin = factsAt(chain, record.received_at, rule)
  if (twin !== null) return repeats(twin, record, rule) ? 'duplicate' : 'conflict'
  const { current, last, revision_max } = chain
  if (current === null && last === null) return FIRST_REVISION
  const stored_rules = current !== null && (last === null || current.received_at > last.received_at)
  const previous_id = stored_rules ? current.id : rule.idOf(last!)
  const head = { revision_max, current_id: previous_id }
  const previous = stored_rules ? current : rule.factsOf(last!)
  if (rule.addsNothing?.(previous, record) === true) return 'duplicate'
  if (stored_rules && current.received_at > record.received_at) return lateRevision(head)
  return supersede(head, rule.reasonOf(previous, rule.factsOf(record)))
}

function repeats<T>(twin: Facts, record: T, rule: RevisionRule<T>): boolean {
  return equalFacts(twin, rule.factsOf(record)) || rule.addsNothing?.(twin, record) === true
}

function factsAt<T extends Timed>(chain: Chain<T>, received_at: Micros, rule: RevisionRule<T>): Facts | null {
  if (chain.last?.received_at === received_at) return rule.factsOf(chain.last)
  return chain.stored.find((r) => r.received_at === received_at) ?? null
}

function equalFacts(a: Facts, b: Facts): boolean {
  return a.kind === b.kind && a.content === b.content
}

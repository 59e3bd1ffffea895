import { type Batch, batchesOf, type ImportClock, recordsDigest } from '../../pipelines/venues/batches.ts'
import { deriveResolutions } from '../../pipelines/venues/derive-resolutions.ts'
import { createIdentities, type Identities } from '../../pipelines/venues/identities.ts'
import {
  type PlannedState,
  planReferences,
  type ReferenceRule,
  type StateRevision,
} from '../../pipelines/venues/plan-references.ts'
import {
  type Decision,
  inCommitOrder,
  type KnownChains,
  planRevisions,
  type RevisionRule,
} from '../../pipelines/venues/plan-revisions.ts'
import type { QuarantineItem } from '../../pipelines/venues/quarantine.ts'
import { quoteRow, quoteRule } from '../../pipelines/venues/quote-revisions.ts'
import type { ArchiveContent, Origin, ReferenceRecord } from '../../pipelines/venues/record.ts'
import { eventRow, eventRule, marketRow, marketRule } from '../../pipelines/venues/reference-states.ts'
import { resolutionRow, resolutionRule } from '../../pipelines/venues/resolution-revisions.ts'
import { tradeRow, tradeRule } from '../../pipelines/venues/trade-revisions.ts'
import { uniqueReferences } from '../../pipelines/venues/unique-references.ts'
import type { Revised } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { payoutChains } from './payout-chains.ts'
import type { KnownRecords } from './read-known.ts'

/** The commits that one table still needs. Rows are made when they are asked for, one commit's at a time. */
export type TablePlan = {
  readonly table: TableName
  /** Of all valid records of the archive for this table, stored or not: names the import, whatever interrupted it. */
  readonly digest: string
  readonly commits: readonly PlannedCommit[]
}

export type PlannedCommit = {
  readonly sequence: number
  /** received_at of all its rows under the recorded clock. */
  readonly received_at: Micros
  readonly row_count: number
  readonly rows: () => Row[]
}

export type ImportPlan = {
  readonly tables: readonly TablePlan[]
  /** Observations: quotes, trades and stated resolutions. */
  readonly counts: { readonly new: number; readonly revised: number; readonly duplicate: number }
  readonly reference_records: number
  /** Every record that is not taken, malformed or in conflict, as the files have them. */
  readonly quarantine: readonly QuarantineItem[]
}

/** What an archive adds to what the warehouse holds. Pure. */
export function planImport(content: ArchiveContent, known: KnownRecords, clock: ImportClock): ImportPlan {
  const ids = createIdentities()
  const references = uniqueReferences(inCommitOrder(content.references))
  const quotes = planTable(inCommitOrder(content.quotes), known.quotes, quoteRule(ids))
  const trades = planTable(inCommitOrder(content.trades), known.trades, tradeRule(ids))
  const stated = planTable(inCommitOrder(content.resolutions), known.resolutions, resolutionRule(ids))
  const derived = payoutChains(quotes, known.quotes).flatMap(deriveResolutions)
  const resolutions =
    derived.length === 0
      ? stated
      : planTable(inCommitOrder([...content.resolutions, ...derived]), known.resolutions, resolutionRule(ids))
  const events = planStates(references.kept, known.events, eventRule(ids))
  const markets = planStates(references.kept, known.markets, marketRule(ids))
  const observed = [quotes, trades, stated]
  const conflicting_records = [...observed.flatMap(conflicting), ...references.conflicts]
  return {
    tables: [
      stateCommits('event', events, clock, eventRow),
      stateCommits('market', markets, clock, (planned) => marketRow(planned, ids)),
      tableCommits('market_quote', quotes, clock, ids, quoteRow),
      tableCommits('public_trade', trades, clock, ids, tradeRow),
      tableCommits('market_resolution', resolutions, clock, ids, resolutionRow),
    ],
    counts: countDecisions(observed.flatMap(({ decisions }) => decisions)),
    reference_records: [...events.planned, ...markets.planned].filter((planned) => planned !== null).length,
    quarantine: inFileOrder(content.files, [...content.quarantine, ...conflicts(conflicting_records)]),
  }
}

/** The records of one table in commit order, each with its chain and its place in it. */
export type PlannedTable<T> = {
  readonly sorted: readonly T[]
  readonly keys: readonly string[]
  readonly decisions: readonly Decision[]
  readonly rule: RevisionRule<T>
}

function planTable<T extends Origin & { readonly received_at: Micros }>(
  sorted: readonly T[],
  known: KnownChains,
  rule: RevisionRule<T>,
): PlannedTable<T> {
  const keys = sorted.map(rule.chainOf)
  return { sorted, keys, decisions: planRevisions(sorted, keys, known, rule), rule }
}

function tableCommits<T extends { readonly received_at: Micros }>(
  table: TableName,
  { sorted, keys, decisions, rule }: PlannedTable<T>,
  clock: ImportClock,
  ids: Identities,
  rowOf: (record: T, revised: Revised, ids: Identities) => Row,
): TablePlan {
  const rowAt = (place: number) => {
    const decision = decisions[place]!
    return typeof decision === 'string' ? null : () => rowOf(sorted[place]!, decision, ids)
  }
  const digest = recordsDigest(sorted, keys, rule.factsOf)
  return { table, digest, commits: commitsOf(batchesOf(sorted, clock), rowAt) }
}

type PlannedStates<S> = {
  readonly sorted: readonly ReferenceRecord[]
  readonly planned: readonly (PlannedState<S, ReferenceRecord> | null)[]
  readonly rule: ReferenceRule<S, ReferenceRecord>
}

function planStates<S>(
  sorted: readonly ReferenceRecord[],
  known: ReadonlyMap<string, readonly StateRevision<S>[]>,
  rule: ReferenceRule<S, ReferenceRecord>,
): PlannedStates<S> {
  return { sorted, planned: planReferences(sorted, known, rule), rule }
}

function stateCommits<S>(
  table: TableName,
  { sorted, rule, planned }: PlannedStates<S>,
  clock: ImportClock,
  rowOf: (planned: PlannedState<S, ReferenceRecord>) => Row,
): TablePlan {
  const rowAt = (place: number) => {
    const item = planned[place] ?? null
    return item === null ? null : () => rowOf(item)
  }
  const stateText = (record: ReferenceRecord) => ({ kind: '', content: JSON.stringify(rule.merge(null, record)) })
  const digest = recordsDigest(sorted, sorted.map(rule.idOf), stateText)
  return { table, digest, commits: commitsOf(batchesOf(sorted, clock), rowAt) }
}

/** The batches that still have rows. */
function commitsOf(batches: readonly Batch[], rowAt: (place: number) => (() => Row) | null): PlannedCommit[] {
  return batches.flatMap(({ sequence, received_at, from, to }) => {
    const places = Array.from({ length: to - from }, (_, n) => from + n).filter((place) => rowAt(place) !== null)
    if (places.length === 0) return []
    const rows = () => places.map((place) => rowAt(place)!())
    return [{ sequence, received_at, row_count: places.length, rows }]
  })
}

function countDecisions(decisions: readonly Decision[]): ImportPlan['counts'] {
  const counts = { new: 0, revised: 0, duplicate: 0 }
  for (const decision of decisions) {
    if (decision === 'duplicate') counts.duplicate += 1
    else if (decision !== 'conflict') counts[decision.revision === 1 ? 'new' : 'revised'] += 1
  }
  return counts
}

function conflicting({ sorted, decisions }: { sorted: readonly Origin[]; decisions: readonly Decision[] }): Origin[] {
  return sorted.filter((_, place) => decisions[place] === 'conflict')
}

function conflicts(records: readonly Origin[]): QuarantineItem[] {
  return records.map(({ file, line }) => ({ file, line, reason: 'CONFLICTING_VALUE' }))
}

function inFileOrder(files: readonly string[], items: readonly QuarantineItem[]): QuarantineItem[] {
  return [...items].sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line)
}

import { createHash } from 'node:crypto'
import { batchesOf } from '../../pipelines/revisions/batches.ts'
import { bookRow, bookRule } from '../../pipelines/revisions/book-revisions.ts'
import { dayBatches } from '../../pipelines/revisions/day-batches.ts'
import { eligibilityRow, eligibilityRule } from '../../pipelines/revisions/eligibility-revisions.ts'
import { asRecord, type Statement, statementRule, statementsOf } from '../../pipelines/revisions/grouped-references.ts'
import { HAZARD_RULE, hazardRow } from '../../pipelines/revisions/hazard-revisions.ts'
import type { Identities } from '../../pipelines/revisions/identities.ts'
import { METRIC_RULE, metricRow } from '../../pipelines/revisions/metric-revisions.ts'
import type { PlannedState, ReferenceRule, StateRevision } from '../../pipelines/revisions/plan-references.ts'
import {
  type Decision,
  type KnownChains,
  ofClock,
  type RevisionRule,
} from '../../pipelines/revisions/plan-revisions.ts'
import { quoteRow, quoteRule } from '../../pipelines/revisions/quote-revisions.ts'
import type { EventSource, EventState } from '../../pipelines/revisions/reference-states.ts'
import { eventRow, eventRule, marketRow, marketRule } from '../../pipelines/revisions/reference-states.ts'
import { resolutionRow, resolutionRule } from '../../pipelines/revisions/resolution-revisions.ts'
import { tradeRule } from '../../pipelines/revisions/trade-revisions.ts'
import { overtakenInInstant } from '../../pipelines/venues/last-of-instant.ts'
import { type MinuteStamps, stampsOf } from '../../pipelines/venues/minute-stamps.ts'
import type { ArchiveContent, Origin, ReferenceRecord } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Decided, DecidedTables } from './input-tally.ts'
import { matchedTradeRow } from './matched-trade-row.ts'
import { conflicts, type ImportPlan } from './plan-import.ts'
import type { KnownRecords } from './read-known.ts'
import type { OwnedContent } from './record-buffer.ts'
import {
  type Batching,
  type Counts,
  conflicting,
  countDecisions,
  isConfirmed,
  type PlannedTable,
  planStates,
  planTable,
  stateCommits,
  type TablePlan,
  tableCommits,
} from './table-plan.ts'

type Received = Origin & { readonly received_at: Micros }

/** Context of planning, beside the records. */
export type RecordsContext = {
  /** Remembers ids over all batches of an import. */
  readonly ids: Identities
  /** Stamps of the recorded clock; null: the wall clock. */
  readonly stamps: MinuteStamps | null
  /** Treatment of a record that repeats the current one. */
  readonly repeated: RepeatedRecord
}

export type RepeatedRecord = 'confirms' | 'quotes_confirm' | 'is_duplicate'

/**
 * Plans the rows that records of payloads add to the warehouse. Pure. Records of one instant count in the order of arrival: the last of
 * several quotes or books of an outcome is stored, the others are duplicates; a market or event is described once.
 */
export function planRecords(content: OwnedContent, known: KnownRecords, context: RecordsContext): OwnedPlan {
  const { ids } = context
  const { owners } = content
  const [references, of_references] = inOrder(content.references, owners.references)
  const ruled = <T>(rule: RevisionRule<T>) => (context.repeated === 'confirms' ? rule : withoutRepeats(rule))
  const quoted = <T>(rule: RevisionRule<T>) => (context.repeated === 'is_duplicate' ? withoutRepeats(rule) : rule)
  const clock = context.stamps === null ? 'wall' : 'recorded'
  const [sorted_quotes, of_quotes] = inOrder(content.quotes, owners.quotes)
  const [sorted_books, of_books] = inOrder(content.books, owners.books)
  const [sorted_metrics, of_metrics] = inOrder(content.metrics, owners.metrics)
  const [sorted_trades, of_trades] = inOrder(content.trades, owners.trades)
  const [sorted_resolutions, of_resolutions] = inOrder(content.resolutions, owners.resolutions)
  const [sorted_hazards, of_hazards] = inOrder(content.hazards, owners.hazards)
  const quotes = planLatest(sorted_quotes, known.quotes, ofClock(quoted(quoteRule(ids)), clock), of_quotes)
  const books = planLatest(sorted_books, known.books, quoted(bookRule(ids)), of_books)
  const metrics = planLatest(sorted_metrics, known.metrics, ofClock(METRIC_RULE, clock), of_metrics)
  const trades = planTable(sorted_trades, known.trades, ruled(tradeRule(ids)))
  const resolutions = planTable(sorted_resolutions, known.resolutions, ruled(resolutionRule(ids)))
  const events = planStatements(
    eventSources(content, known, ids),
    known.events,
    eventRule(ids),
    eventRow,
    'event',
    context,
  )
  const markets = planStatements(
    references,
    known.markets,
    marketRule(ids),
    (p) => marketRow(p, ids),
    'market',
    context,
  )
  const eligibility = planLatest(references, known.eligibility, eligibilityRule(ids), of_references)
  const hazards = planStatements(sorted_hazards, known.hazards, HAZARD_RULE, hazardRow, 'hazard_alert', context)
  const observed = [quotes, books, metrics, trades, resolutions] as const
  const decisions = observed.flatMap((planned) => planned.decisions)
  const conflicting_records = observed.flatMap<Origin>(conflicting<Origin>)
  return {
    tables: [
      events.commits,
      markets.commits,
      recordCommits('market_eligibility', eligibility, context, eligibilityRow),
      // Before the quotes that repeat them: whoever is told of a quote finds its last trade on the tape.
      recordCommits('public_trade', trades, context, matchedTradeRow(trades.sorted, known.trade_reports, ids)),
      recordCommits('market_quote', quotes, context, quoteRow),
      recordCommits('order_book', books, context, bookRow),
      recordCommits('market_metric', metrics, context, metricRow),
      recordCommits('market_resolution', resolutions, context, resolutionRow),
      hazards.commits,
    ],
    counts: addCounts(countDecisions(decisions), hazards.counts, overtaken([quotes, books, metrics])),
    quarantine: [...content.quarantine, ...conflicts(conflicting_records)],
    decided: {
      event: () => ({
        stored: statedItems<EventState, EventSource>(events, references, of_references),
        conflicting: [],
      }),
      market: () => ({ stored: statedItems(markets, references, of_references), conflicting: [] }),
      public_trade: () => decidedItems(trades.decisions, of_trades),
      market_quote: () => decidedItems(quotes.decisions, quotes.owners),
      order_book: () => decidedItems(books.decisions, books.owners),
      market_metric: () => decidedItems(metrics.decisions, metrics.owners),
      market_resolution: () => decidedItems(resolutions.decisions, of_resolutions),
      hazard_alert: () => ({ stored: statedItems(hazards, sorted_hazards, of_hazards), conflicting: [] }),
    },
  }
}

/** A plan, and what it decides about the items of the input. */
export type OwnedPlan = ImportPlan & { readonly decided: DecidedTables }

/** Items with a row that states something new, and items with a record in conflict. */
function decidedItems(decisions: readonly Decision[], owners: readonly number[]): Decided {
  const stored: number[] = []
  const conflicting: number[] = []
  for (let place = 0; place < decisions.length; place += 1) {
    const decision = decisions[place]!
    if (decision === 'conflict') conflicting.push(owners[place]!)
    else if (decision !== 'duplicate' && !isConfirmed(decision)) stored.push(owners[place]!)
  }
  return { stored, conflicting }
}

/** Items of the statements that are stored: all of an instant about one subject are one statement. */
function statedItems<S, T>(
  {
    statements,
    planned,
  }: {
    readonly statements: readonly Statement<T>[]
    readonly planned: readonly (PlannedState<S, Statement<T>> | null)[]
  },
  sorted: readonly T[],
  owners: readonly number[],
): number[] {
  const stated = new Set(statements.flatMap(({ records }, n) => (planned[n] === null ? [] : records)))
  return stated.size === 0 ? [] : owners.filter((_, place) => stated.has(sorted[place]!))
}

/** An alert of a hazard states an event too; a short description of a known market states none. */
function eventSources(
  { references, hazards }: ArchiveContent,
  { markets }: KnownRecords,
  ids: Identities,
): readonly EventSource[] {
  const isListing = (r: ReferenceRecord) =>
    r.is_partial !== true || !markets.has(ids.marketId(r.venue_id, r.source_market_id))
  const listings = references.every(isListing) ? references : references.filter(isListing)
  return inOrder<EventSource>(hazards.length === 0 ? listings : [...listings, ...hazards], [])[0]
}

/** Rule by which a record that repeats the one before it is a duplicate, whenever it was received. */
function withoutRepeats<T>(rule: RevisionRule<T>): RevisionRule<T> {
  return {
    ...rule,
    addsNothing: (previous, record) => {
      const facts = rule.factsOf(record)
      const repeats = facts.kind === previous.kind && facts.content === previous.content
      return repeats || rule.addsNothing?.(previous, record) === true
    },
  }
}

/** Records and their items in the order of receipt; of equal instants as they arrived. */
function inOrder<T extends Received>(
  records: readonly T[],
  owners: readonly number[],
): readonly [readonly T[], readonly number[]] {
  const is_sorted = records.every(
    (record, place) => place === 0 || records[place - 1]!.received_at <= record.received_at,
  )
  if (is_sorted) return [records, owners]
  const places = [...records.keys()].sort((a, b) => records[a]!.received_at - records[b]!.received_at)
  return [places.map((place) => records[place]!), places.map((place) => owners[place] ?? -1)]
}

/** Plans the last state of each chain and instant; `overtaken` counts the others. */
function planLatest<T extends Received>(
  arrived: readonly T[],
  known: KnownChains,
  rule: RevisionRule<T>,
  owners: readonly number[],
) {
  const keys = arrived.map(rule.chainOf)
  const is_overtaken = overtakenInInstant(arrived, keys)
  if (!is_overtaken.includes(true)) return { ...planTable(arrived, known, rule, keys), owners, overtaken: 0 }
  const isLast = (_: unknown, place: number) => !is_overtaken[place]
  const last = arrived.filter(isLast)
  return {
    ...planTable(last, known, rule, keys.filter(isLast)),
    owners: owners.filter(isLast),
    overtaken: arrived.length - last.length,
  }
}

function overtaken(planned: readonly { readonly overtaken: number }[]): Counts {
  return { new: 0, revised: 0, duplicate: planned.reduce((sum, each) => sum + each.overtaken, 0) }
}

function planStatements<S, T extends Received>(
  sorted: readonly T[],
  known: ReadonlyMap<string, readonly StateRevision<S>[]>,
  rule: ReferenceRule<S, T>,
  rowOf: (planned: PlannedState<S, T>) => Row,
  table: TableName,
  context: RecordsContext,
) {
  const statements = statementsOf(sorted, rule.idOf)
  const states = planStates(statements, known, statementRule(rule))
  const keys = statements.map(({ records }) => rule.idOf(records[0]))
  const revisions = states.planned.flatMap((planned) => (planned === null ? [] : [planned.revised.revision]))
  const first = revisions.filter((revision) => revision === 1).length
  return {
    commits: stateCommits(table, states, batching(statements, keys, context), (planned) => rowOf(asRecord(planned))),
    statements,
    planned: states.planned,
    counts: { new: first, revised: revisions.length - first, duplicate: sorted.length - revisions.length },
  }
}

function recordCommits<T extends Received>(
  table: TableName,
  planned: PlannedTable<T>,
  context: RecordsContext,
  rowOf: (record: T, revised: Revised, ids: Identities) => Row,
): TablePlan {
  return tableCommits(table, planned, batching(planned.sorted, planned.keys, context), rowOf, context.ids)
}

const DIGEST_STEP = 1024

/** Commits, and a digest that names these records and their order. Every key ends with a separator, so it names no others. */
function batching(
  sorted: readonly { readonly received_at: Micros }[],
  keys: readonly string[],
  { stamps: minutes }: RecordsContext,
): Batching {
  const hash = createHash('sha256')
  for (let from = 0; from < keys.length; from += DIGEST_STEP) {
    hash.update(`${keys.slice(from, from + DIGEST_STEP).join('\u001d')}\u001d`)
  }
  hash.update(Float64Array.from(sorted, ({ received_at }) => received_at))
  const stamps = minutes === null ? null : stampsOf(sorted, minutes)
  const batches = stamps === null ? batchesOf(sorted, 'wall') : dayBatches(stamps)
  return { digest: hash.digest('hex').slice(0, 32), batches, stamps }
}

function addCounts(...all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => all.reduce((total, counts) => total + counts[of], 0)
  return { new: sum('new'), revised: sum('revised'), duplicate: sum('duplicate') }
}

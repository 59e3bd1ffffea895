import { batchesOf, recordsDigest } from '../../pipelines/revisions/batches.ts'
import { eligibilityRow, eligibilityRule } from '../../pipelines/revisions/eligibility-revisions.ts'
import { createIdentities, type Identities } from '../../pipelines/revisions/identities.ts'
import { METRIC_RULE, metricRow } from '../../pipelines/revisions/metric-revisions.ts'
import { inCommitOrder, ofClock } from '../../pipelines/revisions/plan-revisions.ts'
import { quoteRow, quoteRule } from '../../pipelines/revisions/quote-revisions.ts'
import { eventRow, eventRule, marketRow, marketRule } from '../../pipelines/revisions/reference-states.ts'
import { resolutionRow, resolutionRule } from '../../pipelines/revisions/resolution-revisions.ts'
import { tradeRule } from '../../pipelines/revisions/trade-revisions.ts'
import { uniqueReferences } from '../../pipelines/revisions/unique-references.ts'
import { deriveResolutions } from '../../pipelines/venues/derive-resolutions.ts'
import type { QuarantineItem } from '../../pipelines/venues/quarantine.ts'
import type { ArchiveContent, Origin, ReferenceRecord } from '../../pipelines/venues/record.ts'
import type { Revised } from '../../primitives/append-only.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import { matchedTradeRow } from './matched-trade-row.ts'
import { payoutChains } from './payout-chains.ts'
import type { KnownRecords } from './read-known.ts'
import {
  type Counts,
  conflicting,
  countDecisions,
  isConfirmed,
  type PlannedStates,
  type PlannedTable,
  planStates,
  planTable,
  stateCommits,
  type TablePlan,
  tableCommits,
} from './table-plan.ts'

export type ImportPlan = {
  readonly tables: readonly TablePlan[]
  /** Observations: quotes, sizes, trades and stated resolutions. */
  readonly counts: Counts
  /** Every record that is not taken, malformed or in conflict, as the files have them. */
  readonly quarantine: readonly QuarantineItem[]
}

/** Lines with a row that states something new, and lines in conflict. */
export type DecidedLines = { readonly stored: readonly Origin[]; readonly conflicting: readonly Origin[] }

/** A plan of record tables, and what it decides about their lines, by the table whose commits carry it out. */
export type LinePlan = ImportPlan & { readonly decided: Partial<Readonly<Record<TableName, DecidedLines>>> }

/** Plans the rows that an archive of record tables adds to the warehouse. Pure. */
export function planImport(content: ArchiveContent, known: KnownRecords, clock: ImportClock): LinePlan {
  const ids = createIdentities()
  const references = uniqueReferences(inCommitOrder(content.references))
  const quotes = planTable(inCommitOrder(content.quotes), known.quotes, ofClock(quoteRule(ids), clock))
  const metrics = planTable(inCommitOrder(content.metrics), known.metrics, ofClock(METRIC_RULE, clock))
  const trades = planTable(inCommitOrder(content.trades), known.trades, tradeRule(ids))
  const stated = planTable(inCommitOrder(content.resolutions), known.resolutions, resolutionRule(ids))
  const derived = payoutChains(quotes, known.quotes).flatMap(deriveResolutions)
  const resolutions =
    derived.length === 0
      ? stated
      : planTable(inCommitOrder([...content.resolutions, ...derived]), known.resolutions, resolutionRule(ids))
  const events = planStates(references.kept, known.events, eventRule(ids))
  const markets = planStates(references.kept, known.markets, marketRule(ids))
  const eligibility = planTable(references.kept, known.eligibility, eligibilityRule(ids))
  const observed = [quotes, metrics, trades, stated] as const
  const conflicting_records: Origin[] = [...observed.flatMap<Origin>(conflicting<Origin>), ...references.conflicts]
  return {
    tables: [
      stateCommits('event', events, stateBatches(events, clock), eventRow),
      stateCommits('market', markets, stateBatches(markets, clock), (planned) => marketRow(planned, ids)),
      recordCommits('market_eligibility', eligibility, clock, ids, eligibilityRow),
      recordCommits('public_trade', trades, clock, ids, matchedTradeRow(trades.sorted, known.trade_reports, ids)),
      recordCommits('market_quote', quotes, clock, ids, quoteRow),
      recordCommits('market_metric', metrics, clock, ids, metricRow),
      recordCommits('market_resolution', resolutions, clock, ids, resolutionRow),
    ],
    counts: countDecisions(observed.flatMap(({ decisions }) => decisions)),
    quarantine: inFileOrder(content.files, [...content.quarantine, ...conflicts(conflicting_records)]),
    decided: {
      event: {
        stored: references.kept.filter((_, n) => events.planned[n] !== null),
        conflicting: references.conflicts,
      },
      market: { stored: references.kept.filter((_, n) => markets.planned[n] !== null), conflicting: [] },
      market_quote: decidedLines(quotes),
      market_metric: decidedLines(metrics),
      public_trade: decidedLines(trades),
      market_resolution: decidedLines(stated),
    },
  }
}

function decidedLines<T extends Origin>(planned: PlannedTable<T>): DecidedLines {
  return { stored: storedOf(planned), conflicting: conflicting<Origin>(planned) }
}

/** Records with a row that states something new. */
function storedOf<T extends Origin>({ sorted, decisions }: PlannedTable<T>): T[] {
  return sorted.filter((_, place) => {
    const decision = decisions[place]!
    return typeof decision === 'object' && !isConfirmed(decision)
  })
}

function recordCommits<T extends Origin & { readonly received_at: Micros }>(
  table: TableName,
  planned: PlannedTable<T>,
  clock: ImportClock,
  ids: Identities,
  rowOf: (record: T, revised: Revised, ids: Identities) => Row,
): TablePlan {
  const { sorted, keys, rule } = planned
  const digest = recordsDigest(sorted, keys, rule.factsOf)
  return tableCommits(table, planned, { digest, ...instantBatches(sorted, clock) }, rowOf, ids)
}

/** The recorded clock of tables of records: each is published at the instant at which the archive had it. */
function instantBatches(sorted: readonly { readonly received_at: Micros }[], clock: ImportClock) {
  const stamps = clock === 'recorded' ? sorted.map(({ received_at }) => received_at) : null
  return { batches: batchesOf(sorted, clock), stamps }
}

function stateBatches<S>({ sorted, rule }: PlannedStates<S, ReferenceRecord>, clock: ImportClock) {
  const stateText = (record: ReferenceRecord) => ({ kind: '', content: JSON.stringify(rule.merge(null, record)) })
  return { digest: recordsDigest(sorted, sorted.map(rule.idOf), stateText), ...instantBatches(sorted, clock) }
}

/** Records whose key is taken by other facts, as items. */
export function conflicts(records: readonly Origin[]): QuarantineItem[] {
  return records.map(({ file, line, path }) => {
    return { file, line, ...(path === undefined ? {} : { path }), reason: 'CONFLICTING_VALUE' }
  })
}

function inFileOrder(files: readonly string[], items: readonly QuarantineItem[]): QuarantineItem[] {
  return [...items].sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line)
}

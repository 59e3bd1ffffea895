import { formatMicros } from '../../primitives/instants.ts'
import { PROPOSABLE_STATUSES } from '../../vocabulary/market.ts'
import { refuse } from '../market/refuse.ts'
import type { ResolutionRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { enterStatus } from './market-status.ts'
import type { ActOf } from './move-settlement.ts'
import { checkedPayouts } from './payouts.ts'
import { moveResolution, newestOf, recordResolution } from './record-resolution.ts'
import type { Dispute, Verdict } from './resolution-states.ts'
import type {
  CorrectResolution,
  DecideDispute,
  DisputeResolution,
  FinalizeResolution,
  OutcomePayout,
  ProposeResolution,
} from './settlement-commands.ts'
import type { Market } from './state.ts'

const WINDOW_MAX_MS = 366 * 86_400_000

/** Result of a command that has changed a resolution. */
function summaryOf({ resolution_id, market_id, revision, finality, dispute_window_ends_at }: ResolutionRow): object {
  const ends_at = formatMicros(dispute_window_ends_at)
  return { resolution_id, market_id, revision, finality, dispute_window_ends_at: ends_at }
}

/**
 * Proposes a market's resolution, open to dispute until its window ends. An open market is closed first, and a closed one becomes
 * resolving.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function proposeResolution(execution: Execution, facts: Facts, command: ProposeResolution, act: ActOf): object {
  const { resolution_id, market_id, verdict, dispute_window_ms } = command
  const market = execution.state.markets.get(market_id) ?? refuse('market_id', market_id, 'a listed market')
  if (!PROPOSABLE_STATUSES.includes(market.status))
    refuse('market.status', market.status, PROPOSABLE_STATUSES.join(', '))
  checkNewId(facts, resolution_id)
  const fits = Number.isInteger(dispute_window_ms) && dispute_window_ms >= 0 && dispute_window_ms <= WINDOW_MAX_MS
  if (!fits) refuse('dispute_window_ms', String(dispute_window_ms), `a whole number from 0 to ${WINDOW_MAX_MS}`)
  const payouts = checkedPayouts(market, command.payouts, verdict)
  const withdrawn = newestOf(facts, market_id)
  if (market.status !== 'closed') enterStatus(execution, market, 'closed', act)
  enterStatus(execution, market, 'resolving', act)
  const proposed = newRevision(execution, command, act, { market_id, verdict, payouts }, withdrawn)
  const dispute_window_ends_at = execution.now + dispute_window_ms * 1000
  const correction_reason = (withdrawn?.dispute as Dispute | null | undefined)?.decision ?? null
  return summaryOf(recordResolution(execution, facts, { ...proposed, dispute_window_ends_at, correction_reason }))
}

/** Files a dispute while the window is open. @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed */
export function disputeResolution(execution: Execution, facts: Facts, command: DisputeResolution): object {
  const { dispute_id, filer, basis } = command
  const row = knownResolution(facts, command)
  if (row.finality !== 'proposed') refuse('resolution.finality', row.finality, 'proposed')
  const { dispute_window_ends_at: ends_at } = row
  if (execution.now >= ends_at) refuse('dispute_id', dispute_id, `a dispute before ${formatMicros(ends_at)}`)
  if ((row.dispute as Dispute | null)?.dispute_id === dispute_id) refuse('dispute_id', dispute_id, 'a new id')
  const filed_at = formatMicros(execution.now)
  const dispute: Dispute = { dispute_id, state: 'open', filer, basis, decision: null, filed_at, decided_at: null }
  return { ...summaryOf(moveResolution(execution, facts, { ...row, dispute }, 'disputed')), dispute_id }
}

/**
 * Decides a dispute. Upheld: the resolution is withdrawn and the market closed again, for another proposal. Rejected: the
 * resolution continues.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function decideDispute(execution: Execution, facts: Facts, command: DecideDispute, act: ActOf): object {
  const { dispute_id, upheld, decision } = command
  const row = knownResolution(facts, command)
  const open = row.dispute as Dispute | null
  if (row.finality !== 'disputed' || open === null) refuse('resolution.finality', row.finality, 'disputed')
  if (open.dispute_id !== dispute_id) refuse('dispute_id', dispute_id, open.dispute_id)
  const decided_at = formatMicros(execution.now)
  const dispute: Dispute = { ...open, state: upheld ? 'upheld' : 'rejected', decision, decided_at }
  const decided = moveResolution(execution, facts, { ...row, dispute }, upheld ? 'withdrawn' : 'proposed')
  if (upheld) enterStatus(execution, marketOf(execution, row), 'closed', act)
  return { ...summaryOf(decided), dispute_id }
}

/**
 * Makes a resolution final once its window has passed without an open dispute; the market becomes resolved or voided. Repeating
 * it has no effect.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function finalizeResolution(
  execution: Execution,
  facts: Facts,
  command: FinalizeResolution,
  act: ActOf,
): object {
  const row = knownResolution(facts, command)
  if (row.finality === 'final') return summaryOf(row)
  if (row.finality !== 'proposed') refuse('resolution.finality', row.finality, 'proposed, with no open dispute')
  const { dispute_window_ends_at: ends_at } = row
  if (execution.now < ends_at) refuse('now', formatMicros(execution.now), `from ${formatMicros(ends_at)} on`)
  const market = marketOf(execution, row)
  const final = moveResolution(execution, facts, { ...row, finalized_at: execution.now }, 'final')
  setPayouts(execution, market, final)
  enterStatus(execution, market, row.verdict as Verdict, act)
  return summaryOf(final)
}

/**
 * Corrects a final resolution with a new revision, final at once; `pay_resolution` pays the differences. A second person must
 * have approved.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function correctResolution(execution: Execution, facts: Facts, command: CorrectResolution, act: ActOf): object {
  const { resolution_id, supersedes_id, approved_by, correction_reason } = command
  const { actor } = act
  const superseded = knownResolution(facts, { resolution_id: supersedes_id }, 'supersedes_id')
  if (superseded.finality !== 'final') refuse('resolution.finality', superseded.finality, 'final')
  const newest = newestOf(facts, superseded.market_id)
  if (newest !== superseded) refuse('supersedes_id', supersedes_id, `${newest?.resolution_id}, the newest revision`)
  checkNewId(facts, resolution_id)
  if (approved_by === actor || approved_by === '') refuse('approved_by', approved_by, `another person than ${actor}`)
  if (correction_reason === '') refuse('correction_reason', correction_reason, 'why it is corrected')
  const { verdict, market_id } = superseded
  const market = marketOf(execution, superseded)
  const payouts = checkedPayouts(market, command.payouts, verdict as Verdict)
  const facts_of = { market_id, verdict: verdict as Verdict, payouts }
  const revision = newRevision(execution, command, act, facts_of, superseded)
  const finalized = { finality: 'final', finalized_at: execution.now, approved_by, correction_reason }
  const corrected = recordResolution(execution, facts, { ...revision, ...finalized })
  setPayouts(execution, market, corrected)
  return summaryOf(corrected)
}

/** Facts read for an id that did not exist yet do not list its positions, so its first payment waits for the next batch. */
function checkNewId(facts: Facts, resolution_id: string): void {
  if (resolution_id === '' || facts.resolutions.has(resolution_id)) {
    refuse('resolution_id', resolution_id, 'an id that is not used yet')
  }
  facts.paid_before.delete(resolution_id)
}

/** Finds a resolution by id. @throws {ServiceError} VALIDATION_USAGE_INVALID where there is none */
export function knownResolution(
  facts: Facts,
  { resolution_id }: { readonly resolution_id: string },
  field = 'resolution_id',
): ResolutionRow {
  return facts.resolutions.get(resolution_id) ?? refuse(field, resolution_id, 'a resolution that is known')
}

/** Returns a resolution's market. */
export function marketOf({ state }: Execution, { market_id }: ResolutionRow): Market {
  return state.markets.get(market_id) ?? refuse('market_id', market_id, 'a listed market')
}

function newRevision(
  { now }: Execution,
  { resolution_id, evidence, resolver }: ProposeResolution | CorrectResolution,
  { actor, reason }: ActOf,
  { market_id, verdict, payouts }: Ended,
  superseded: ResolutionRow | null,
): ResolutionRow {
  return {
    resolution_id,
    market_id,
    revision: (superseded?.revision ?? 0) + 1,
    supersedes_id: superseded?.resolution_id ?? null,
    correction_reason: null,
    verdict,
    payouts,
    evidence,
    resolver_kind: resolver.kind,
    resolver_id: resolver.resolver_id,
    actor,
    reason,
    approved_by: null,
    proposed_at: now,
    dispute_window_ends_at: now,
    finality: 'proposed',
    finalized_at: null,
    dispute: null,
    paid_count: 0,
    paid_at: null,
    engine_sequence: 0,
  }
}

type Ended = { readonly market_id: string; readonly verdict: Verdict; readonly payouts: readonly OutcomePayout[] }

function setPayouts({ changes }: Execution, market: Market, row: ResolutionRow): void {
  for (const { outcome_id, payout } of row.payouts as readonly OutcomePayout[]) {
    market.outcomes.get(outcome_id)!.payout = payout
  }
  changes.markets.add(market)
}

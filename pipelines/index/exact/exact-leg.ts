import type { Micros } from '../../../primitives/instants.ts'
import { type Ghosts, NO_GHOSTS } from './ghosts.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import type { LegSource, Phase } from './leg-source.ts'
import { MarkHistory } from './mark-history.ts'
import { OutlierFilter } from './outlier-filter.ts'
import { admittedFrom, type QuoteFeed, rowAt, valueAt } from './quote-feed.ts'
import { confirmedAt, copyMark, type IntegerMark, markOfRow, noMark } from './quote-mark.ts'
import { C_OF_RULE, CLASS, MARK_ONE, NONE, RULE } from './units.ts'

/** Key of a settled mark: its source is the phase's evidence, not a quote row. */
export const EVIDENCE_KEY = -2

/**
 * One leg swept forward: the twin of `evaluateLeg` and its memory, in whole numbers (methodology index-1 §3 to 6).
 * `evaluate` is called at increasing cutoffs, and may be skipped at every cutoff before `next_at`: until then nothing
 * about the leg changes but its age.
 */
export class ExactLeg {
  readonly source: LegSource
  readonly filtering: boolean
  /** The mark that counts; rule NONE = missing. */
  readonly mark: IntegerMark = noMark()
  freshness: number = CLASS.missing
  provisional = false
  /** The newest mark is held back by the filter; it is in `raw`. */
  pending = false
  readonly raw: IntegerMark = noMark()
  reason: 'FROZEN' | 'CROSSED_BOOK' | 'OUTLIER_PENDING' | null = null
  /** First cutoff at which anything but the age may differ. */
  next_at: Micros = Number.NEGATIVE_INFINITY
  /** Feed ordinals of the newest admitted rows; -1 = none. */
  own_ordinal = -1
  other_ordinal = -1
  #phase_ordinal = 0
  history: MarkHistory
  filter: OutlierFilter
  /** Remembered records that the source does not have, after continuing from a memory. */
  ghosts: Ghosts = NO_GHOSTS

  /** @param filtering false where no version of the index filters outliers: then no window is kept */
  constructor(source: LegSource, filtering: boolean, filter: OutlierFilter = new OutlierFilter()) {
    this.source = source
    this.filtering = filtering
    this.filter = filter
    this.history = new MarkHistory(source.freeze_instants)
  }

  /** Copies the leg and its memory, for other admission (another grace) or for an evaluation that must change nothing. */
  fork(source: LegSource = this.source): ExactLeg {
    const copy = new ExactLeg(source, this.filtering)
    copy.history = this.history.clone()
    copy.filter = this.filter.clone()
    copy.ghosts = this.ghosts
    if (source === this.source) {
      copy.own_ordinal = this.own_ordinal
      copy.other_ordinal = this.other_ordinal
      copy.#phase_ordinal = this.#phase_ordinal
    }
    return copy
  }

  get phase(): Phase {
    return this.source.phases[this.#phase_ordinal]!
  }

  /** End of the current phase. */
  get phase_until(): Micros {
    return this.source.phases[this.#phase_ordinal + 1]?.from ?? Number.POSITIVE_INFINITY
  }

  /** Evaluates the leg at a cutoff, not before the previous one. */
  evaluate(cutoff: Micros, p: IntegerParameters): void {
    this.#admit(cutoff)
    this.pending = false
    this.provisional = false
    this.reason = null
    const { phase } = this
    if (phase.kind === 'settled') this.#settle(phase)
    else if (phase.kind === 'frozen') this.#freeze(phase)
    else this.#observe(phase.kind === 'paused', cutoff, p)
    this.freshness = this.#classify(cutoff, p)
    this.next_at = this.#isSteady() ? this.#nextChange(cutoff, p) : Number.NEGATIVE_INFINITY
  }

  /** Accepts the pending mark when another venue's accepted mark is near it (rule b of methodology index-1 §6). */
  confirmByPeers(peers: readonly number[], cutoff: Micros, p: IntegerParameters): void {
    if (!peers.some((peer) => Math.abs(peer - this.raw.value) <= p.outlier.venue_band)) return
    this.filter.acceptPending(p.outlier)
    this.pending = false
    this.reason = this.phase.kind === 'paused' ? null : this.#crossedReason()
    copyMark(this.raw, this.mark)
    this.freshness = this.#classify(cutoff, p)
    this.next_at = this.#isSteady() ? this.#nextChange(cutoff, p) : Number.NEGATIVE_INFINITY
  }

  #admit(cutoff: Micros): void {
    const { own, other, phases } = this.source
    this.own_ordinal = newestOrdinal(own, this.own_ordinal, cutoff)
    if (other !== null) this.other_ordinal = newestOrdinal(other, this.other_ordinal, cutoff)
    while (this.#phase_ordinal + 1 < phases.length && phases[this.#phase_ordinal + 1]!.from <= cutoff)
      this.#phase_ordinal += 1
  }

  /** Returns whether the market is resolved, so that its marks pass the filter (rule c of methodology index-1 §6). */
  #isResolved(): boolean {
    return this.phase.market?.status === 'resolved'
  }

  #settle(phase: Phase): void {
    const { mark } = this
    mark.rule = RULE.M0
    mark.value = phase.payout
    mark.c = C_OF_RULE[RULE.M0]!
    mark.confirmed_at = phase.source_at
    mark.source_at = phase.source_at
    mark.key = EVIDENCE_KEY
    this.filter.clearPending()
  }

  #freeze(phase: Phase): void {
    const last = this.history.lastBefore(phase.freeze_at)
    this.reason = 'FROZEN'
    this.filter.clearPending()
    if (last === null) {
      this.mark.rule = NONE
      return
    }
    this.#take(last, RULE.frozen)
    this.provisional = true
  }

  /** Forms the mark by M1 to M6, else M7, then applies the outlier filter. */
  #observe(paused: boolean, cutoff: Micros, p: IntegerParameters): void {
    const { mark, history } = this
    this.reason = paused ? null : this.#crossedReason()
    if (this.#markOwn(paused, cutoff, p) || (!paused && this.#markComplement(cutoff, p))) history.remember(mark)
    else {
      mark.rule = NONE
      if (!history.is_empty && cutoff - history.newest.confirmed_at <= p.max_carry) this.#take(history.newest, RULE.M7)
    }
    if (mark.rule === NONE) this.filter.clearPending()
    else if (this.filtering && !this.filter.admit(mark, cutoff, p.outlier, this.#isResolved()))
      this.#holdBack(cutoff, p)
  }

  #markOwn(paused: boolean, cutoff: Micros, p: IntegerParameters): boolean {
    if (this.own_ordinal < 0) return false
    const { own } = this.source
    return markOfRow(own, rowAt(own, this.own_ordinal), cutoff, p, false, !paused, this.mark)
  }

  /** Forms the mark by M6: one minus the other outcome's own mark. */
  #markComplement(cutoff: Micros, p: IntegerParameters): boolean {
    const { other } = this.source
    const { mark } = this
    if (other === null || this.other_ordinal < 0) return false
    if (!markOfRow(other, rowAt(other, this.other_ordinal), cutoff, p, true, true, mark)) return false
    mark.value = MARK_ONE - mark.value
    mark.c = (mark.c * C_OF_RULE[RULE.M6]!) / 100
    mark.rule = RULE.M6
    return true
  }

  /** Leaves out a pending mark; the last accepted one is used as stale. */
  #holdBack(cutoff: Micros, p: IntegerParameters): void {
    const { mark, filter } = this
    copyMark(mark, this.raw)
    this.pending = true
    this.reason = 'OUTLIER_PENDING'
    const usable = filter.has_last && cutoff - filter.last_confirmed_at <= p.max_carry
    mark.rule = usable ? RULE.M7 : NONE
    if (!usable) return
    mark.value = filter.last_value
    mark.confirmed_at = filter.last_confirmed_at
    mark.source_at = filter.last_confirmed_at
    mark.key = filter.last_key
    mark.c = C_OF_RULE[RULE.M7]!
  }

  #take(from: IntegerMark, rule: number): void {
    copyMark(from, this.mark)
    this.mark.rule = rule
    this.mark.c = C_OF_RULE[rule]!
  }

  #classify(cutoff: Micros, p: IntegerParameters): number {
    const { rule, confirmed_at } = this.mark
    if (rule === NONE) return CLASS.missing
    if (rule === RULE.M0) return CLASS.settled
    if (rule === RULE.frozen || this.pending) return CLASS.stale
    const age = cutoff - confirmed_at
    if (age <= p.stale_after) return CLASS.fresh
    return age <= p.max_carry ? CLASS.stale : CLASS.missing
  }

  #crossedReason(): 'CROSSED_BOOK' | null {
    if (this.own_ordinal < 0) return null
    const { own } = this.source
    const row = rowAt(own, this.own_ordinal)
    return valueAt(own.bid, row) >= valueAt(own.ask, row) ? 'CROSSED_BOOK' : null
  }

  /** Returns whether the filter cannot change its decision as its window ages. */
  #isSteady(): boolean {
    if (!this.filtering || this.mark.rule === NONE || this.mark.rule === RULE.M0 || this.mark.rule === RULE.frozen)
      return !this.pending
    return !this.pending && this.filter.isLast(this.mark)
  }

  /** Returns the next admission or boundary age; a boundary value belongs to the better class, hence one microsecond more. */
  #nextChange(cutoff: Micros, p: IntegerParameters): Micros {
    const { own, other, phases } = this.source
    let next = admittedFrom(own, this.own_ordinal + 1)
    if (this.own_ordinal >= 0) next = rowChange(own, rowAt(own, this.own_ordinal), cutoff, p, next)
    if (other !== null) {
      next = Math.min(next, admittedFrom(other, this.other_ordinal + 1))
      if (this.other_ordinal >= 0) next = rowChange(other, rowAt(other, this.other_ordinal), cutoff, p, next)
    }
    const phase = phases[this.#phase_ordinal + 1]
    if (phase !== undefined && phase.from < next) next = phase.from
    if (this.mark.rule === NONE) return next
    next = sooner(next, this.mark.confirmed_at + p.stale_after + 1, cutoff)
    return sooner(next, this.mark.confirmed_at + p.max_carry + 1, cutoff)
  }
}

/** Returns when time alone may change the mark of a row. */
function rowChange(feed: QuoteFeed, row: number, cutoff: Micros, p: IntegerParameters, known: Micros): Micros {
  const confirmed_at = confirmedAt(feed, row, cutoff)
  const last_trade_at = valueAt(feed.last_trade_at, row)
  let next = sooner(known, valueAt(feed.confirmed_at, row), cutoff)
  next = sooner(next, confirmed_at + p.book_max_age + 1, cutoff)
  next = sooner(next, confirmed_at + p.max_carry + 1, cutoff)
  next = sooner(next, last_trade_at + p.t_recent + 1, cutoff)
  return sooner(next, last_trade_at + p.t_last + 1, cutoff)
}

/** Returns the sooner of two instants, if the candidate lies in the future; NaN never does. */
function sooner(known: Micros, candidate: Micros, cutoff: Micros): Micros {
  return candidate > cutoff && candidate < known ? candidate : known
}

/** Returns the ordinal of the newest row admitted at a cutoff, searching from an ordinal not beyond it; -1 = none. */
export function newestOrdinal(feed: QuoteFeed, ordinal: number, cutoff: Micros): number {
  let newest = ordinal
  while (admittedFrom(feed, newest + 1) <= cutoff) newest += 1
  return newest
}

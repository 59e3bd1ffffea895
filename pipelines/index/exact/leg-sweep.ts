import type { Micros } from '../../../primitives/instants.ts'
import { type BulkBlock, C_SETTLED, C_TAKEN, FLAG, type Reading, type Segment, type TickBlock } from './bulk-block.ts'
import type { ExactLeg } from './exact-leg.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { NO_ROOM } from './outlier-filter.ts'
import { rowAt } from './quote-feed.ts'
import { sourceKey } from './quote-mark.ts'
import { type MarkBounds, type TightRows, takeTightRows } from './take-rows.ts'
import { newestAdmitted, type TightBooks } from './tight-books.ts'
import { C_M1, CLASS, isFallbackRule, MARK_ONE, NONE, RULE } from './units.ts'

/**
 * Sweeps one leg over block after block of ticks and adds it to their sums. A new row of a tight, young, valid book (M1) is
 * taken in a short loop; everything else goes through `ExactLeg.evaluate`, which then finds its memory as if it had evaluated
 * every tick, and whose result holds until the leg's next change.
 */
export class LegSweep {
  readonly #leg: ExactLeg
  readonly #block_slot: number
  readonly #books: TightBooks
  readonly #reading: Reading
  readonly #p: IntegerParameters
  /** Largest age of a row taken directly: it is then valid and fresh, with positive confidence. */
  readonly #direct_age: Micros
  /** Last cutoff at which rows may be taken directly: the market is open, and no freeze instant has passed. */
  #direct_until: Micros = Number.NEGATIVE_INFINITY
  /** Last result of the leg, and the instant until which it holds. */
  readonly #result = { value: 0, confirmed_at: 0, c: 0, flags: 0 }
  #until: Micros = Number.NEGATIVE_INFINITY
  /** Consecutive ticks whose rows were taken directly and are not yet in the leg's memory, the cutoff of the last one, and the
   * bounds of all marks that the filter's window may hold by then. */
  #streak = 0
  #streak_end: Micros = 0
  #bounds: MarkBounds | null = null

  constructor(leg: ExactLeg, block_slot: number, books: TightBooks, reading: Reading, p: IntegerParameters) {
    this.#leg = leg
    this.#block_slot = block_slot
    this.#books = books
    this.#reading = reading
    this.#p = p
    this.#direct_age = Math.min(p.book_max_age, p.stale_after, p.max_carry)
  }

  /** Adds the leg to every tick of a block, starting at one of them. */
  run(ticks: TickBlock, block: BulkBlock, from: number): void {
    let i = from
    while (i < ticks.count) {
      i = this.#takeRows(ticks, i, block)
      if (i < ticks.count) i = this.#addResult(ticks, i, block)
    }
  }

  /** Returns the leg's result at one tick of the block just run: c in hundredths, C_SETTLED or 0, and its confirmation. */
  resultAt(i: number, cutoff: Micros, block: BulkBlock): Pick<Segment, 'c' | 'confirmed_at'> {
    const c = block.c[this.#block_slot]![i]!
    if (c !== C_TAKEN) return { c, confirmed_at: block.confirmed[this.#block_slot]![i]! }
    return { c: C_M1, confirmed_at: this.#books.admitted[newestAdmitted(this.#books, cutoff)]! }
  }

  /** Takes new rows from a tick on; returns the first tick that has none or needs a full evaluation. */
  #takeRows(ticks: TickBlock, from: number, block: BulkBlock): number {
    const rows = this.rowsFrom(ticks)
    if (rows === null) return from
    const ages = { age: this.#direct_age, max_carry: this.#p.max_carry }
    const to = takeTightRows(rows, ticks, from, ages, block)
    this.took(rows, ticks, from, to)
    return to
  }

  /** Returns the rows that may be taken directly; null for none. */
  rowsFrom(ticks: TickBlock): TightRows | null {
    const leg = this.#leg
    const books = this.#books
    const reading = this.#reading
    const { admitted, marks } = books
    const ordinal = leg.own_ordinal + 1
    const bounds = this.#streak > 0 ? this.#bounds : this.#boundsOfFilter()
    if (bounds === null || ordinal >= marks.length - 1) return null
    // The last row gets a full evaluation, so that a next row always exists.
    const end = tickFrom(Math.min(this.#direct_until, admitted[marks.length - 1]!), ticks)
    return { admitted, marks, ordinal, end, bounds, reading }
  }

  /** Returns whether each row taken at consecutive ticks of a step is young enough, being admitted after the previous tick. */
  isYoungAt(step: Micros): boolean {
    return step <= this.#direct_age && this.#streak > 0
  }

  /** Records that the rows of the ticks [from, to) were taken. */
  took(rows: TightRows, ticks: TickBlock, from: number, to: number): void {
    if (to > from) this.#goOn(ticks.first + (to - 1) * ticks.step, to - from, rows)
  }

  /** Returns the marks that the outlier filter accepts by its bounds alone; null if every mark must go through `admit`. */
  #boundsOfFilter(): MarkBounds | null {
    const leg = this.#leg
    const p = this.#p
    if (!leg.filtering || !p.outlier.enabled) return { low: 0, high: MARK_ONE, room: Number.POSITIVE_INFINITY }
    const room = leg.filter.roomFor(p.outlier)
    if (room === NO_ROOM) return null
    const { low, high } = leg.filter
    return low > high ? { low: MARK_ONE + 1, high: -1, room } : { low, high, room }
  }

  /** Advances the state after `ticks` rows were taken, the last one at `cutoff`. */
  #goOn(cutoff: Micros, ticks: number, rows: TightRows): void {
    const leg = this.#leg
    const books = this.#books
    const ordinal = rows.ordinal - 1
    const at = books.admitted[ordinal]!
    leg.own_ordinal = ordinal
    this.#streak += ticks
    this.#streak_end = cutoff
    this.#bounds = rows.bounds
    this.#setResult(books.marks[ordinal]!, at, C_M1, 0)
    this.#until = Math.min(books.admitted[ordinal + 1]!, at + this.#direct_age + 1, this.#direct_until)
  }

  /** Updates the leg's memory as if `evaluate` had seen every row taken: its newest mark, and the filter's window. */
  settle(step: Micros): void {
    const leg = this.#leg
    const books = this.#books
    const p = this.#p
    if (this.#streak === 0) return
    const { value, confirmed_at: at } = this.#result
    const key = this.#keyOf(leg.own_ordinal)
    leg.history.remember({ rule: RULE.M1, value, c: C_M1, confirmed_at: at, source_at: at, key })
    if (leg.filtering) {
      leg.filter.clearPending()
      const seen = Math.min(this.#streak, p.outlier.window)
      const cutoffs = Array.from({ length: seen }, (_, i) => this.#streak_end - i * step)
      for (const taken of ordinalsBefore(books, leg.own_ordinal, cutoffs).reverse()) this.#accept(taken)
    }
    this.#streak = 0
  }

  #accept(ordinal: number): void {
    const leg = this.#leg
    const books = this.#books
    const p = this.#p
    leg.filter.accept(books.marks[ordinal]!, books.admitted[ordinal]!, this.#keyOf(ordinal), p.outlier)
  }

  #keyOf(ordinal: number): number {
    return sourceKey(rowAt(this.#leg.source.own, ordinal), 0, false)
  }

  #setResult(value: number, confirmed_at: Micros, c: number, flags: number): void {
    this.#result.value = value
    this.#result.confirmed_at = confirmed_at
    this.#result.c = c
    this.#result.flags = flags
  }

  /** Adds the leg's result from a tick on while it holds; returns the first tick after. */
  #addResult(ticks: TickBlock, from: number, block: BulkBlock): number {
    const cutoff = ticks.first + from * ticks.step
    if (cutoff >= this.#until) this.#evaluate(cutoff, ticks.step)
    this.settle(ticks.step)
    const to = this.#until > cutoff ? tickFrom(this.#until, ticks) : from + 1
    block.addSegment(this.#block_slot, this.#result, this.#reading, ticks, {
      from,
      to,
      max_carry: this.#p.max_carry,
    })
    return to
  }

  /** Evaluates the leg in full, from its own memory. */
  #evaluate(cutoff: Micros, step: Micros): void {
    const leg = this.#leg
    this.settle(step)
    leg.evaluate(cutoff, this.#p)
    const { mark, phase } = leg
    const c = mark.rule === NONE ? 0 : mark.rule === RULE.M0 ? C_SETTLED : mark.c
    this.#setResult(mark.value, mark.confirmed_at, c, flagsOf(leg))
    this.#until = leg.next_at
    const open = phase.kind === 'open' && !(leg.filtering && phase.market?.status === 'resolved')
    this.#direct_until = open ? Math.min(leg.phase_until, leg.history.nextInstant()) : Number.NEGATIVE_INFINITY
  }
}

/** Returns the ordinal of the newest row admitted at each of some descending cutoffs, starting from that of the first. */
function ordinalsBefore({ admitted }: TightBooks, first: number, cutoffs: readonly Micros[]): number[] {
  let ordinal = first
  return cutoffs.map((cutoff) => {
    while (admitted[ordinal]! > cutoff) ordinal -= 1
    return ordinal
  })
}

/** Returns the first tick of a block at or after an instant. A 32-bit integer (| 0), so that the loops count in such. */
function tickFrom(instant: Micros, { first, step, count }: TickBlock): number {
  return Math.max(0, Math.min(count, Math.ceil((instant - first) / step))) | 0
}

function flagsOf(leg: ExactLeg): number {
  const { mark, freshness, provisional, pending } = leg
  const missing = mark.rule === NONE ? FLAG.missing : 0
  const idle = missing !== 0 || freshness > CLASS.fresh ? FLAG.idle : 0
  const fallback = isFallbackRule(mark.rule) ? FLAG.fallback : 0
  return missing | idle | fallback | (provisional || pending ? FLAG.indicative : 0)
}

import type { Micros } from '../../../primitives/instants.ts'
import { type BulkBlock, C_SETTLED, C_TAKEN, FLAG, type Reading, type Segment, type TickBlock } from './bulk-block.ts'
import type { ExactLeg } from './exact-leg.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { HALF_MARK } from './numerator.ts'
import { NO_ROOM } from './outlier-filter.ts'
import { rowAt } from './quote-feed.ts'
import { sourceKey } from './quote-mark.ts'
import { newestAdmitted, type TightBooks } from './tight-books.ts'
import { C_OF_RULE, CLASS, isFallbackRule, MARK_ONE, NONE, RULE } from './units.ts'

const C_M1 = C_OF_RULE[RULE.M1]!

/**
 * Sweeps one leg over block after block of ticks and adds it to their sums. A new row of a tight, young, valid book (M1) is
 * taken in a short loop; everything else goes through `ExactLeg.evaluate`, which then finds its memory as if it had seen
 * every tick, and whose answer stands until the leg's next change.
 */
export class LegSweep {
  private readonly leg: ExactLeg
  private readonly position_in_block: number
  private readonly books: TightBooks
  private readonly reading: Reading
  private readonly p: IntegerParameters
  /** A row taken directly must be so young that it is valid and fresh, and its confidence positive. */
  private readonly direct_age: Micros
  /** Cutoffs up to which rows may be taken directly: the market is open, and no freeze instant is passed. */
  private direct_until: Micros = Number.NEGATIVE_INFINITY
  /** What the leg said last, and until when it says so. */
  private readonly said = { value: 0, confirmed_at: 0, c: 0, flags: 0 }
  private until: Micros = Number.NEGATIVE_INFINITY

  constructor(leg: ExactLeg, position_in_block: number, books: TightBooks, reading: Reading, p: IntegerParameters) {
    this.leg = leg
    this.position_in_block = position_in_block
    this.books = books
    this.reading = reading
    this.p = p
    this.direct_age = Math.min(p.book_max_age, p.stale_after, p.max_carry)
  }

  /** Adds the leg to every tick of a block. */
  run(ticks: TickBlock, block: BulkBlock): void {
    let i = 0
    while (i < ticks.count) {
      i = this.takeRows(ticks, i, block)
      if (i < ticks.count) i = this.stand(ticks, i, block)
    }
  }

  /** What the leg said at one tick of the block just run: c in hundredths, C_SETTLED or 0, and its confirmation. */
  saidAt(i: number, cutoff: Micros, block: BulkBlock): Pick<Segment, 'c' | 'confirmed_at'> {
    const c = block.c[this.position_in_block]![i]!
    if (c !== C_TAKEN) return { c, confirmed_at: block.confirmed[this.position_in_block]![i]! }
    return { c: C_M1, confirmed_at: this.books.admitted[newestAdmitted(this.books, cutoff)]! }
  }

  /** Takes new rows from a tick on; returns the first tick that has none or needs the general way. */
  private takeRows(ticks: TickBlock, from: number, block: BulkBlock): number {
    const { leg, p, books } = this
    const position = leg.own_position + 1
    const last = books.marks.length - 1
    const bounds = this.bounds()
    if (bounds === null || position >= last) return from
    // The last row is left to the general way, so that there always is a next one to look at.
    const end = tickFrom(Math.min(this.direct_until, books.admitted[last]!), ticks)
    const range = { from, to: end, position }
    const ages = { age: this.direct_age, max_carry: p.max_carry }
    const to = takeTightRows(books, ticks, range, ages, bounds, this.reading, block)
    if (to > from) this.remember(ticks, from, to)
    return to
  }

  /** The marks that the outlier filter lets through by its bounds alone; null where every mark must go through `admit`. */
  private bounds(): MarkBounds | null {
    const { leg, p } = this
    if (!leg.filtering || !p.outlier.enabled) return { low: 0, high: MARK_ONE, room: Number.POSITIVE_INFINITY }
    const room = leg.filter.roomFor(p.outlier)
    if (room === NO_ROOM) return null
    const { low, high } = leg.filter
    return low > high ? { low: MARK_ONE + 1, high: -1, room } : { low, high, room }
  }

  /** Leaves the leg as `evaluate` would have left it after the rows taken at the ticks [from, to). */
  private remember({ first, step }: TickBlock, from: number, to: number): void {
    const { leg, books, p } = this
    const position = newestAdmitted(books, first + (to - 1) * step)
    const value = books.marks[position]!
    const at = books.admitted[position]!
    leg.own_position = position
    leg.history.remember({ rule: RULE.M1, value, c: C_M1, confirmed_at: at, source_at: at, key: this.keyOf(position) })
    if (leg.filtering) {
      leg.filter.clearPending()
      const seen = Math.min(to - from, p.outlier.window)
      const cutoffs = Array.from({ length: seen }, (_, i) => first + (to - 1 - i) * step)
      for (const taken of positionsBefore(books, position, cutoffs).reverse()) this.accept(taken)
    }
    this.say(value, at, C_M1, 0)
    this.until = Math.min(books.admitted[position + 1]!, at + this.direct_age + 1, this.direct_until)
  }

  private accept(position: number): void {
    const { leg, books, p } = this
    leg.filter.accept(books.marks[position]!, books.admitted[position]!, this.keyOf(position), p.outlier)
  }

  private keyOf(position: number): number {
    return sourceKey(rowAt(this.leg.source.own, position), 0, false)
  }

  private say(value: number, confirmed_at: Micros, c: number, flags: number): void {
    this.said.value = value
    this.said.confirmed_at = confirmed_at
    this.said.c = c
    this.said.flags = flags
  }

  /** Adds what the leg says from a tick on, for as long as it stands; returns the first tick after. */
  private stand(ticks: TickBlock, from: number, block: BulkBlock): number {
    const cutoff = ticks.first + from * ticks.step
    if (cutoff >= this.until) this.evaluate(cutoff)
    const to = this.until > cutoff ? tickFrom(this.until, ticks) : from + 1
    block.addSegment(this.position_in_block, this.said, this.reading, ticks, { from, to, max_carry: this.p.max_carry })
    return to
  }

  /** The general way, from the leg's own memory. */
  private evaluate(cutoff: Micros): void {
    const { leg } = this
    leg.evaluate(cutoff, this.p)
    const { mark, phase } = leg
    const c = mark.rule === NONE ? 0 : mark.rule === RULE.M0 ? C_SETTLED : mark.c
    this.say(mark.value, mark.confirmed_at, c, flagsOf(leg))
    this.until = leg.next_at
    const open = phase.kind === 'open' && !(leg.filtering && phase.market?.status === 'resolved')
    this.direct_until = open ? Math.min(leg.phase_until, leg.history.nextInstant()) : Number.NEGATIVE_INFINITY
  }
}

/** The newest position admitted at each of some descending cutoffs, from the one of the first on. */
function positionsBefore({ admitted }: TightBooks, first: number, cutoffs: readonly Micros[]): number[] {
  let position = first
  return cutoffs.map((cutoff) => {
    while (admitted[position]! > cutoff) position -= 1
    return position
  })
}

type MarkBounds = { readonly low: number; readonly high: number; readonly room: number }

/**
 * The innermost loop: one new tight row per tick, added to the sums of its tick. Stops at the first tick without a new row,
 * with an old or other row, or with a mark farther than `room` from another one of the window. Written for the machine: few
 * columns, 32-bit integers (| 0), one comparison per rule; NO_MARK falls below every lower bound.
 */
function takeTightRows(
  { admitted, marks }: TightBooks,
  { first, step }: TickBlock,
  range: { readonly from: number; readonly to: number; readonly position: number },
  ages: { readonly age: Micros; readonly max_carry: Micros },
  bounds: MarkBounds,
  { weight, signed_weight }: Reading,
  { numerator, confidence }: BulkBlock,
): number {
  const { room } = bounds
  const slope = weight * C_M1
  let low = bounds.low | 0
  let high = bounds.high | 0
  let position = range.position | 0
  let i = range.from | 0
  let cutoff = first + i * step
  let base = ages.max_carry - cutoff
  let next = admitted[position]!
  for (; i < range.to; i++) {
    let at = next
    if (!(at <= cutoff)) break
    next = admitted[position + 1]!
    while (next <= cutoff) {
      position += 1
      at = next
      next = admitted[position + 1]!
    }
    if (cutoff - at > ages.age) break
    const mark = marks[position]!
    if (mark < low) {
      if (mark < 0 || high - mark > room) break
      low = mark
    }
    if (mark > high) {
      if (mark - low > room) break
      high = mark
    }
    numerator[i] = numerator[i]! + signed_weight * (mark - HALF_MARK)
    confidence[i] = confidence[i]! + slope * (base + at)
    position += 1
    cutoff += step
    base -= step
  }
  return i
}

/** The first tick of a block at or after an instant. A 32-bit integer (| 0), so that the loops count in such. */
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

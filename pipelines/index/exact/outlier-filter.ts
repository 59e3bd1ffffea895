import { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { IntegerOutlier, OutlierLimit } from './integer-parameters.ts'
import type { IntegerMark } from './quote-mark.ts'
import { MARK_ONE, RULE } from './units.ts'

export const NO_ROOM = -1

/** Capacity for marks before the window is moved to the front again. */
const CAPACITY = 256
const NO_WINDOW = { window: 0 }

/** One remembered mark. */
export type Kept = { readonly value: number; readonly confirmed_at: Micros; readonly key: number }
export type FilterMemory = { readonly accepted: readonly Kept[]; readonly pending: readonly Kept[] }

/**
 * The outlier filter of one outcome (methodology index-1 §6) in whole numbers: marks; medians in half marks and the MAD in
 * quarter marks, because the median of an even window is a mean of two.
 *
 * Most marks need no median. |x - m| <= k x floor is enough to accept, and m lies between the window's least and greatest mark;
 * so where x is within k x floor of both, it is accepted whatever m, the MAD and the window's age filter are. The two bounds
 * may be wider than the window (they grow with every mark and are tightened only when they stop helping).
 */
export class OutlierFilter {
  /** Accepted marks, oldest first, one per source observation: ordinals [begin, end) of three columns. */
  #values: Float64Array
  #confirmed: Float64Array
  #keys: Float64Array
  #begin = 0
  #end = 0
  low = Number.POSITIVE_INFINITY
  high = Number.NEGATIVE_INFINITY
  /** Consecutive marks outside the limit. */
  #pending: Kept[] = []
  #window_halves = 0
  #window_mad_quarters = 0
  #limit_k: Decimal | null = null

  /** @param capacity initial capacity, in marks */
  constructor(capacity: number = CAPACITY) {
    this.#values = new Float64Array(capacity)
    this.#confirmed = new Float64Array(capacity)
    this.#keys = new Float64Array(capacity)
  }

  /** Restores the next remembered mark, oldest first: the window was applied when it was accepted. */
  restore(value: number, confirmed_at: Micros, key: number): void {
    this.#append(value, confirmed_at, key, NO_WINDOW)
  }

  restorePending(pending: readonly Kept[]): void {
    this.#pending = [...pending]
  }

  /** Returns the filter's memory. */
  memory(): FilterMemory {
    const accepted: Kept[] = []
    for (let i = this.#begin; i < this.#end; i++)
      accepted.push({ value: this.#values[i]!, confirmed_at: this.#confirmed[i]!, key: this.#keys[i]! })
    return { accepted, pending: this.#pending }
  }

  /** Returns an independent filter with the same memory. */
  clone(): OutlierFilter {
    const copy = new OutlierFilter(0)
    copy.#values = this.#values.slice()
    copy.#confirmed = this.#confirmed.slice()
    copy.#keys = this.#keys.slice()
    copy.#begin = this.#begin
    copy.#end = this.#end
    copy.low = this.low
    copy.high = this.high
    copy.#pending = [...this.#pending]
    copy.#window_halves = this.#window_halves
    copy.#window_mad_quarters = this.#window_mad_quarters
    copy.#limit_k = this.#limit_k
    return copy
  }

  get has_last(): boolean {
    return this.#end > this.#begin
  }
  get last_value(): number {
    return this.#values[this.#end - 1]!
  }
  get last_confirmed_at(): Micros {
    return this.#confirmed[this.#end - 1]!
  }
  get last_key(): number {
    return this.#keys[this.#end - 1]!
  }

  /** Clears pending marks: a settled, frozen or missing outcome has none. */
  clearPending(): void {
    if (this.#pending.length > 0) this.#pending = []
  }

  /** Returns whether the newest accepted mark is this observation: then time alone changes nothing. */
  isLast(mark: IntegerMark): boolean {
    return this.has_last && this.last_key === mark.key && this.last_value === mark.value
  }

  /** Decides on a mark M1..M7 and remembers it; every mark of a resolved market is accepted. */
  admit(mark: IntegerMark, cutoff: Micros, p: IntegerOutlier, resolved: boolean): boolean {
    if (this.isLast(mark)) {
      if (mark.rule !== RULE.M7) this.#confirmed[this.#end - 1] = mark.confirmed_at
      return true
    }
    if (!p.enabled || resolved || this.#isNear(mark.value, p) || this.#isInside(mark.value, cutoff, p)) {
      this.clearPending()
      if (!this.#knows(mark.value, mark.key)) this.#append(mark.value, mark.confirmed_at, mark.key, p)
      return true
    }
    this.#addPending(mark, p)
    if (!this.#isConfirmed(p)) return false
    this.acceptPending(p)
    return true
  }

  /**
   * Returns how far apart two marks of the window may lie for either to be accepted by the bounds alone; -1 if the window is
   * wider or a mark is pending: then every mark needs `admit`.
   */
  roomFor(p: IntegerOutlier): number {
    if (!p.enabled) return Number.POSITIVE_INFINITY
    const room = p.entry.floor_halves / 2
    if (this.#pending.length > 0) return NO_ROOM
    if (this.high - this.low > room) this.#tighten()
    return this.high - this.low > room ? NO_ROOM : room
  }

  /** Adds a mark that `roomFor` allows, from a row never seen before. */
  accept(value: number, confirmed_at: Micros, key: number, p: IntegerOutlier): void {
    this.#append(value, confirmed_at, key, p)
  }

  /** Accepts the pending marks (rules a and b of methodology index-1 §6); they stay pending, so that re-entry keeps its tighter limit. */
  acceptPending(p: IntegerOutlier): void {
    const fresh = this.#pending.filter(({ value, key }) => !this.#knows(value, key))
    for (const { value, confirmed_at, key } of fresh) this.#append(value, confirmed_at, key, p)
  }

  /** Returns the numbers behind the last rejection: the window's median and the limit. */
  refusal(p: IntegerOutlier): { readonly median: Decimal; readonly limit: Decimal } {
    const mad = new Decimal(this.#window_mad_quarters).div(4 * MARK_ONE)
    const sigma = Decimal.max(mad.times('1.4826'), p.floor)
    return { median: new Decimal(this.#window_halves).div(2 * MARK_ONE), limit: sigma.times(this.#limit_k!) }
  }

  /** Returns whether a mark is within k x floor of the least and the greatest mark of the window, hence of its median. */
  #isNear(value: number, p: IntegerOutlier): boolean {
    const room = this.#limitOf(p).floor_halves
    if (2 * (value - this.low) <= room && 2 * (this.high - value) <= room) return true
    this.#tighten()
    return 2 * (value - this.low) <= room && 2 * (this.high - value) <= room
  }

  #limitOf(p: IntegerOutlier): OutlierLimit {
    return this.#pending.length > 0 ? p.reentry : p.entry
  }

  /** Applies the full test: |x - m| <= k x max(1.4826 x MAD, floor) over the window; true without a window. */
  #isInside(value: number, cutoff: Micros, p: IntegerOutlier): boolean {
    const usable: number[] = []
    const first = p.window === 0 ? this.#begin : Math.max(this.#begin, this.#end - p.window)
    for (let i = first; i < this.#end; i++) {
      if (cutoff - this.#confirmed[i]! <= p.window_max_age) usable.push(this.#values[i]!)
    }
    if (usable.length < p.min_n) return true
    const limit = this.#limitOf(p)
    this.#limit_k = limit.k
    this.#window_halves = twiceMedian(usable)
    this.#window_mad_quarters = twiceMedian(usable.map((x) => Math.abs(2 * x - this.#window_halves)))
    const distance = Math.abs(2 * value - this.#window_halves)
    if (distance <= limit.floor_halves) return true
    return BigInt(distance) * limit.scale <= BigInt(this.#window_mad_quarters) * limit.factor
  }

  #addPending(mark: IntegerMark, p: IntegerOutlier): void {
    const newest = this.#pending.at(-1)
    if (newest !== undefined && newest.key === mark.key && newest.value === mark.value) return
    const { value, confirmed_at, key } = mark
    this.#pending = [...this.#pending, { value, confirmed_at, key }].slice(-p.confirm_n)
  }

  /** Returns whether the last confirm_n pending marks lie within `band` of each other (rule a). */
  #isConfirmed(p: IntegerOutlier): boolean {
    if (this.#pending.length < p.confirm_n) return false
    const values = this.#pending.map((mark) => mark.value)
    return Math.max(...values) - Math.min(...values) <= p.band
  }

  #append(value: number, confirmed_at: Micros, key: number, p: Pick<IntegerOutlier, 'window'>): void {
    if (this.#end === this.#values.length) this.#makeRoom()
    this.#values[this.#end] = value
    this.#confirmed[this.#end] = confirmed_at
    this.#keys[this.#end] = key
    this.#end += 1
    if (p.window > 0 && this.#end - this.#begin > p.window) this.#begin = this.#end - p.window
    if (value < this.low) this.low = value
    if (value > this.high) this.high = value
  }

  #knows(value: number, key: number): boolean {
    for (let i = this.#end - 1; i >= this.#begin; i--) {
      if (this.#keys[i] === key && this.#values[i] === value) return true
    }
    return false
  }

  #tighten(): void {
    this.low = Number.POSITIVE_INFINITY
    this.high = Number.NEGATIVE_INFINITY
    for (let i = this.#begin; i < this.#end; i++) {
      if (this.#values[i]! < this.low) this.low = this.#values[i]!
      if (this.#values[i]! > this.high) this.high = this.#values[i]!
    }
  }

  /** Moves the kept marks to the front, into larger columns if they fill more than half. */
  #makeRoom(): void {
    const begin = this.#begin
    const end = this.#end
    const grown = (end - begin) * 2 > this.#values.length
    this.#values = moved(this.#values, begin, end, grown)
    this.#confirmed = moved(this.#confirmed, begin, end, grown)
    this.#keys = moved(this.#keys, begin, end, grown)
    this.#begin = 0
    this.#end = end - begin
  }
}

function moved(column: Float64Array, begin: number, end: number, grown: boolean): Float64Array {
  const target = grown ? new Float64Array(2 * column.length) : column
  target.set(column.subarray(begin, end))
  return target
}

/** Returns twice the median of whole numbers. */
function twiceMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? 2 * sorted[middle]! : sorted[middle - 1]! + sorted[middle]!
}

import type { Micros } from '../../../primitives/instants.ts'
import { HALF_MARK } from './numerator.ts'
import { C_ONE } from './units.ts'

/** Ticks per block: few enough that the sums stay in the second-level cache. */
export const BLOCK_TICKS = 1024

/** Ticks at a fixed step: `first`, `first + step`, ... */
export type TickBlock = { readonly first: Micros; readonly step: Micros; readonly count: number }

/** c of a settled leg, whose confidence is 1 at any age; 0 marks a missing leg, C_TAKEN a row taken directly. */
export const C_SETTLED = 255
export const C_TAKEN = 254

/** Flags of a mark; a live mark of an unlimited rule has none. */
export const FLAG = { missing: 1, idle: 2, fallback: 4, indicative: 8 } as const

/** Weights of a leg: of the constituents that read it, negative for an inverse one, and their number. */
export type Reading = { readonly weight: number; readonly signed_weight: number; readonly readers: number }

/** An unchanged mark over some ticks of a block. */
export type Segment = {
  readonly value: number
  readonly confirmed_at: Micros
  /** c_rule in hundredths, C_SETTLED or 0. */
  readonly c: number
  readonly flags: number
}

/**
 * Sums over a block of ticks, one column each. Legs are added one after the other. The columns sum what is missing, not
 * what is present, so that the usual leg adds nothing to most of them.
 */
export class BulkBlock {
  /** Centered numerators, sum w (x - 1/2), and confidences, sum w x c x left. */
  readonly numerator = new Float64Array(BLOCK_TICKS)
  readonly confidence = new Float64Array(BLOCK_TICKS)
  /** Weights without x, not live, and on limited rules; and the number of constituents. */
  readonly unused = new Float64Array(BLOCK_TICKS)
  readonly uncovered = new Float64Array(BLOCK_TICKS)
  readonly fallback = new Float64Array(BLOCK_TICKS)
  readonly missing = new Uint16Array(BLOCK_TICKS)
  readonly idle = new Uint16Array(BLOCK_TICKS)
  readonly indicative = new Uint16Array(BLOCK_TICKS)
  /** Whether every leg has had only live marks of unlimited rules. */
  even = true
  /** Per leg, for the ticks that need the confidence formula; of rows taken directly, c alone. */
  readonly confirmed: readonly Float64Array[]
  readonly c: readonly Uint8Array[]

  constructor(legs: number) {
    this.confirmed = Array.from({ length: legs }, () => new Float64Array(BLOCK_TICKS))
    this.c = this.confirmed.map(() => new Uint8Array(BLOCK_TICKS))
  }

  /** Clears the sums; every row counts as taken directly until a segment changes that. */
  clear(): void {
    this.even = true
    for (const column of this.c) column.fill(C_TAKEN)
    for (const column of [this.numerator, this.confidence]) column.fill(0)
    for (const column of [this.unused, this.uncovered, this.fallback]) column.fill(0)
    for (const column of [this.missing, this.idle, this.indicative]) column.fill(0)
  }

  /** Adds one leg's unchanged mark at the ticks [from, to). */
  addSegment(
    leg: number,
    { value, confirmed_at, c, flags }: Segment,
    { weight, signed_weight, readers }: Reading,
    { first, step }: TickBlock,
    range: { readonly from: number; readonly to: number; readonly max_carry: Micros },
  ): void {
    const { from, to, max_carry } = range
    this.confirmed[leg]!.fill(confirmed_at, from, to)
    this.c[leg]!.fill(c, from, to)
    if (flags !== 0) this.#addFlags(flags, weight, readers, from, to)
    if (c === 0) return
    const { numerator, confidence } = this
    const share = signed_weight * (value - HALF_MARK)
    const slope = weight * (c === C_SETTLED ? C_ONE : c)
    const base = confirmed_at + max_carry - first
    for (let i = from; i < to; i++) {
      numerator[i] = numerator[i]! + share
      const left = c === C_SETTLED ? max_carry : base - i * step
      if (left > 0) confidence[i] = confidence[i]! + slope * left
    }
  }

  #addFlags(flags: number, weight: number, readers: number, from: number, to: number): void {
    this.even = false
    for (let i = from; i < to; i++) {
      if ((flags & FLAG.missing) !== 0) {
        this.unused[i] = this.unused[i]! + weight
        this.missing[i] = this.missing[i]! + readers
      }
      if ((flags & FLAG.idle) !== 0) {
        this.uncovered[i] = this.uncovered[i]! + weight
        this.idle[i] = this.idle[i]! + readers
      }
      if ((flags & FLAG.fallback) !== 0) this.fallback[i] = this.fallback[i]! + weight
      if ((flags & FLAG.indicative) !== 0) this.indicative[i] = this.indicative[i]! + readers
    }
  }
}

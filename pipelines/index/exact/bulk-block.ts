import type { Micros } from '../../../primitives/instants.ts'
import { HALF_MARK } from './numerator.ts'
import { C_ONE } from './units.ts'

/** Ticks per block: few enough that the sums stay in the second-level cache. */
export const BLOCK_TICKS = 1024

/** Ticks at a fixed step: `first`, `first + step`, ... */
export type TickBlock = { readonly first: Micros; readonly step: Micros; readonly count: number }

/** c of a settled leg, whose confidence is 1 at any age; 0 is that of a missing one; C_TAKEN that of a row taken directly. */
export const C_SETTLED = 255
export const C_TAKEN = 254

/** What is said of a mark beside its value; a live mark of an unlimited rule has no flag. */
export const FLAG = { missing: 1, idle: 2, fallback: 4, indicative: 8 } as const

/** How a leg counts: the weights of the constituents that read it, with a minus for an inverse one, and how many they are. */
export type Reading = { readonly weight: number; readonly signed_weight: number; readonly readers: number }

/** The same mark at some ticks of a block. */
export type Segment = {
  readonly value: number
  readonly confirmed_at: Micros
  /** c_rule in hundredths, C_SETTLED or 0. */
  readonly c: number
  readonly flags: number
}

/**
 * The sums of a block of ticks, one column each. Legs add themselves one after the other. What is lacking is summed, not
 * what is there, so that the usual leg adds nothing to most columns.
 */
export class BulkBlock {
  /** Centred numerators, sum w (x - 1/2), and confidences, sum w x c x left. */
  readonly numerator = new Float64Array(BLOCK_TICKS)
  readonly confidence = new Float64Array(BLOCK_TICKS)
  /** Weights without x; not live; on limited rules. And how many constituents. */
  readonly unused = new Float64Array(BLOCK_TICKS)
  readonly uncovered = new Float64Array(BLOCK_TICKS)
  readonly fallback = new Float64Array(BLOCK_TICKS)
  readonly missing = new Uint16Array(BLOCK_TICKS)
  readonly idle = new Uint16Array(BLOCK_TICKS)
  readonly indicative = new Uint16Array(BLOCK_TICKS)
  /** Whether no leg has said anything but a live mark of an unlimited rule. */
  even = true
  /** Per leg, for the ticks that need the confidence formula; of rows taken directly, c alone. */
  readonly confirmed: readonly Float64Array[]
  readonly c: readonly Uint8Array[]

  constructor(legs: number) {
    this.confirmed = Array.from({ length: legs }, () => new Float64Array(BLOCK_TICKS))
    this.c = this.confirmed.map(() => new Uint8Array(BLOCK_TICKS))
  }

  /** Empties the sums; every row is taken directly until a segment says otherwise. */
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

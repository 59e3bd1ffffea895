import type { DecimalString } from '../primitives/decimal.ts'
import { compareDecimals } from './compare-decimals.ts'

/** Value whose extremes and gaps survive thinning. */
export type ThinnedValue<T> = {
  readonly of: (item: T) => DecimalString | null
  readonly keep: 'both' | 'lowest'
  /** A null is a gap that must stay one; else it means nothing. */
  readonly gaps: boolean
}

type Placed<T> = { readonly ordinal: number; readonly item: T }
type Extreme<T> = { readonly placed: Placed<T>; readonly value: DecimalString }
/** Items kept of a bucket for one value. */
type Kept<T> = { lowest: Extreme<T> | null; highest: Extreme<T> | null; gap: Placed<T> | null }
type Bucket<T> = readonly Kept<T>[]

/** Up to this many items nothing is thinned. */
export const UNTHINNED_MAX = 1500
/** Buckets that remain of a longer sequence: about as many as a picture has columns of two pixels. */
const BUCKETS = 400

/**
 * Keeps, of a sequence of any length, what a picture of it needs, in bounded memory: neighboring items share a bucket, and
 * a bucket keeps its lowest and highest item of each value and one that is missing. The first and the last item always stay.
 */
export class Thinner<T> {
  readonly #values: readonly ThinnedValue<T>[]
  #buckets: Bucket<T>[] = []
  #open: Bucket<T>
  #in_open = 0
  #stride = 1
  #count = 0
  #first: Placed<T> | null = null
  #last: Placed<T> | null = null

  constructor(values: readonly ThinnedValue<T>[]) {
    this.#values = values
    this.#open = this.#emptyBucket()
  }

  add(item: T): void {
    const placed = { ordinal: this.#count++, item }
    this.#first ??= placed
    this.#last = placed
    this.#values.forEach(({ of, keep, gaps }, i) => {
      const value = of(item)
      if (value !== null) widen(this.#open[i]!, { placed, value }, keep === 'both')
      else if (gaps) this.#open[i]!.gap ??= placed
    })
    this.#in_open += 1
    if (this.#in_open < this.#stride) return
    this.#buckets.push(this.#open)
    this.#open = this.#emptyBucket()
    this.#in_open = 0
    if (this.#buckets.length > UNTHINNED_MAX) this.#halve()
  }

  /** Whether items are missing from `items`. */
  get thinned(): boolean {
    return this.#stride > 1
  }

  /** Returns the kept items in order. */
  items(): T[] {
    while (this.thinned && this.#buckets.length > BUCKETS) this.#halve()
    const kept = new Map<number, T>()
    const keep = (placed: Placed<T> | null | undefined) => {
      if (placed != null) kept.set(placed.ordinal, placed.item)
    }
    for (const { lowest, highest, gap } of [...this.#buckets, this.#open].flat())
      for (const placed of [lowest?.placed, highest?.placed, gap]) keep(placed)
    keep(this.#first)
    keep(this.#last)
    return [...kept].sort(([a], [b]) => a - b).map(([, item]) => item)
  }

  #emptyBucket(): Bucket<T> {
    return this.#values.map(() => ({ lowest: null, highest: null, gap: null }))
  }

  /** Two buckets become one; an odd one is the first part of the open bucket. */
  #halve(): void {
    const halved: Bucket<T>[] = []
    for (let i = 0; i + 1 < this.#buckets.length; i += 2) halved.push(merge(this.#buckets[i]!, this.#buckets[i + 1]!))
    if (this.#buckets.length % 2 === 1) {
      this.#open = merge(this.#buckets.at(-1)!, this.#open)
      this.#in_open += this.#stride
    }
    this.#buckets = halved
    this.#stride *= 2
  }
}

function merge<T>(a: Bucket<T>, b: Bucket<T>): Bucket<T> {
  a.forEach((kept, i) => {
    const { lowest, highest, gap } = b[i]!
    if (lowest !== null) widen(kept, lowest, false)
    if (highest !== null) widen(kept, highest, true)
    kept.gap ??= gap
  })
  return a
}

function widen<T>(kept: Kept<T>, extreme: Extreme<T>, both: boolean): void {
  if (kept.lowest === null || compareDecimals(extreme.value, kept.lowest.value) < 0) kept.lowest = extreme
  if (both && (kept.highest === null || compareDecimals(extreme.value, kept.highest.value) > 0)) kept.highest = extreme
}

const WORD_BITS = 32
const WORD_SHIFT = 5
const LAST_BIT = WORD_BITS - 1

/** Stands for no price and no order. */
export const NONE = -1

/**
 * Set of the ticks of a side that have orders: a bit for each, and a bit for each 32 of them that have any, so that the next tick
 * with orders is found in a few steps at any distance.
 */
export class PriceBits {
  readonly #words: Uint32Array
  /** A bit for each word that is not 0. */
  readonly #groups: Uint32Array

  constructor(prices: number) {
    this.#words = new Uint32Array(Math.ceil(prices / WORD_BITS))
    this.#groups = new Uint32Array(Math.ceil(this.#words.length / WORD_BITS))
  }

  add(place: number): void {
    const word = place >>> WORD_SHIFT
    this.#words[word]! |= 1 << (place & LAST_BIT)
    this.#groups[word >>> WORD_SHIFT]! |= 1 << (word & LAST_BIT)
  }

  remove(place: number): void {
    const word = place >>> WORD_SHIFT
    this.#words[word]! &= ~(1 << (place & LAST_BIT))
    if (this.#words[word] === 0) this.#groups[word >>> WORD_SHIFT]! &= ~(1 << (word & LAST_BIT))
  }

  /** Returns the lowest tick above `place`; `NONE` if there is none. */
  above(place: number): number {
    const word = (place + 1) >>> WORD_SHIFT
    if (word >= this.#words.length) return NONE
    const here = lowestFrom(this.#words[word]!, (place + 1) & LAST_BIT)
    if (here !== NONE) return word * WORD_BITS + here
    const next = this.#wordAbove(word)
    return next === NONE ? NONE : next * WORD_BITS + lowestFrom(this.#words[next]!, 0)
  }

  /** Returns the highest tick below `place`; `NONE` if there is none. */
  below(place: number): number {
    if (place <= 0) return NONE
    const word = (place - 1) >>> WORD_SHIFT
    const here = highestTo(this.#words[word]!, (place - 1) & LAST_BIT)
    if (here !== NONE) return word * WORD_BITS + here
    const next = this.#wordBelow(word)
    return next === NONE ? NONE : next * WORD_BITS + highestTo(this.#words[next]!, LAST_BIT)
  }

  #wordAbove(word: number): number {
    let from = (word + 1) & LAST_BIT
    for (let group = (word + 1) >>> WORD_SHIFT; group < this.#groups.length; group += 1) {
      const found = lowestFrom(this.#groups[group]!, from)
      if (found !== NONE) return group * WORD_BITS + found
      from = 0
    }
    return NONE
  }

  #wordBelow(word: number): number {
    if (word === 0) return NONE
    let to = (word - 1) & LAST_BIT
    for (let group = (word - 1) >>> WORD_SHIFT; group >= 0; group -= 1) {
      const found = highestTo(this.#groups[group]!, to)
      if (found !== NONE) return group * WORD_BITS + found
      to = LAST_BIT
    }
    return NONE
  }
}

/** Returns the lowest set bit of a word at `bit` or above. */
function lowestFrom(word: number, bit: number): number {
  const rest = (word >>> bit) << bit
  return rest === 0 ? NONE : LAST_BIT - Math.clz32(rest & -rest)
}

/** Returns the highest set bit of a word at `bit` or below. */
function highestTo(word: number, bit: number): number {
  const spare = LAST_BIT - bit
  const rest = (word << spare) >>> spare
  return rest === 0 ? NONE : LAST_BIT - Math.clz32(rest)
}

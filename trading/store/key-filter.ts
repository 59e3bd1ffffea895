/** 32 MiB: of ten million keys one new one in some thousand is taken for a known one. Pages that nothing has touched take no memory. */
const FILTER_BITS = 2 ** 28
/** Bits a key. */
const PROBES = 4

/**
 * A set of keys that may be wrong in one direction alone (a Bloom filter): what was added is always said to be there; what was not
 * is mostly said not to be. It never grows; the more it holds, the more often it is wrong.
 */
export class KeyFilter {
  readonly #bits: Uint32Array
  readonly #mask: number

  /** @param bits a power of two, of 32 or more */
  constructor(bits = FILTER_BITS) {
    this.#bits = new Uint32Array(bits / 32)
    this.#mask = bits - 1
  }

  /**
   * Adds a key of several parts.
   * @param kind a small number: keys of different kinds are different
   * @returns whether it may have been there before; false: it was not
   */
  add(kind: number, parts: readonly string[]): boolean {
    let [a, b] = [FIRST_SEED + kind, SECOND_SEED - kind]
    for (const part of parts) {
      for (let at = 0; at < part.length; at += 1) {
        const code = part.charCodeAt(at)
        a = Math.imul(a ^ code, FIRST_PRIME)
        b = Math.imul(b ^ code, SECOND_PRIME)
      }
      a = Math.imul(a ^ PART_END, FIRST_PRIME)
      b = Math.imul(b ^ PART_END, SECOND_PRIME)
    }
    return this.#set(mixed(a), mixed(b) | 1)
  }

  /** The bits at `first`, `first + step`, ... */
  #set(first: number, step: number): boolean {
    let known = true
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (first + Math.imul(probe, step)) & this.#mask
      const word = this.#bits[bit >>> 5]!
      const with_bit = word | (1 << (bit & 31))
      if (with_bit >>> 0 !== word) {
        known = false
        this.#bits[bit >>> 5] = with_bit
      }
    }
    return known
  }
}

/** Two hashes of the form of FNV-1a, from different starts by different primes. */
const FIRST_SEED = 0x811c9dc5
const SECOND_SEED = 0x9747b28c
const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995
/** No text has it as a letter: ("ab", "c") is not ("a", "bc"). */
const PART_END = 0x10000

/** Spreads what the last letters changed over all bits (the end of MurmurHash3). */
function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

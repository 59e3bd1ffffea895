/** 32 MiB: with ten million keys stored, about one new key in some thousand counts as known. Untouched pages take no memory. */
const FILTER_BITS = 2 ** 28
/** Bits per key. */
const PROBES = 4

/**
 * Set of keys with false positives only (a Bloom filter): an added key is always reported as present, an absent one
 * mostly as absent. It never grows; the fuller it is, the more false positives.
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
   * @returns whether the key may have been present; false: it was not
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

  /** Sets the bits at `first`, `first + step`, ... and returns whether all were set. */
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

/** Two FNV-1a style hashes, with different seeds and primes. */
const FIRST_SEED = 0x811c9dc5
const SECOND_SEED = 0x9747b28c
const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995
/** Separator that no text contains: ("ab", "c") differs from ("a", "bc"). */
const PART_END = 0x10000

/** Spreads the last characters over all bits (the finalizer of MurmurHash3). */
function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

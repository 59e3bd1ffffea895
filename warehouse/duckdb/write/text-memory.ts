const BYTES_FIRST = 64 * 1024
const BYTES_KEPT_MAX = 32 * 1024 * 1024
const UNCODED_BATCHES = 63

/** What a column of texts of one batch leaves to the next batch of its table. */
export class TextMemory {
  #bytes: Buffer | null = null
  /** How many more batches are taken as texts, without codes being tried. */
  #uncoded = 0

  /** Room for texts, of a length that is a multiple of four; what an earlier batch left there is of no account. */
  takeBytes(): Buffer {
    const kept = this.#bytes
    return kept !== null && kept.length <= BYTES_KEPT_MAX ? kept : this.keepBytes(Buffer.allocUnsafeSlow(BYTES_FIRST))
  }

  /** The next batch begins with this room. */
  keepBytes(bytes: Buffer): Buffer {
    this.#bytes = bytes
    return bytes
  }

  /** False for a while where texts did not repeat: ids and bodies never do, and thousands would be told apart to see it again. */
  triesCodes(): boolean {
    if (this.#uncoded === 0) return true
    this.#uncoded -= 1
    return false
  }

  /** The texts turned out to be more than are told apart. */
  learnUncoded(): void {
    this.#uncoded = UNCODED_BATCHES
  }
}

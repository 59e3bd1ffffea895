const BYTES_FIRST = 64 * 1024
const BYTES_KEPT_MAX = 32 * 1024 * 1024
const UNCODED_BATCHES = 63

/** Memory that a text column keeps from one batch to the next. */
export class TextMemory {
  #bytes: Buffer | null = null
  /** Number of further batches for which codes are not tried. */
  #uncoded = 0

  /** Returns a buffer for texts whose length is a multiple of four; its contents are undefined. */
  takeBytes(): Buffer {
    const kept = this.#bytes
    return kept !== null && kept.length <= BYTES_KEPT_MAX ? kept : this.keepBytes(Buffer.allocUnsafeSlow(BYTES_FIRST))
  }

  /** Keeps a buffer for the next batch. */
  keepBytes(bytes: Buffer): Buffer {
    this.#bytes = bytes
    return bytes
  }

  /** False for some batches after texts did not repeat: ids and bodies never do, and finding out costs thousands of lookups. */
  triesCodes(): boolean {
    if (this.#uncoded === 0) return true
    this.#uncoded -= 1
    return false
  }

  /** Notes that there were too many distinct texts. */
  learnUncoded(): void {
    this.#uncoded = UNCODED_BATCHES
  }
}

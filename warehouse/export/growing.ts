import { isPresent } from '../duckdb/read/raw-vectors.ts'

/** Growing bytes that reuse their memory from batch to batch, because allocating it each time costs too much. */
export class GrowingBytes {
  bytes = new Uint8Array(0)
  length = 0

  /** Makes room for `size` more bytes and returns their offset. */
  reserve(size: number): number {
    const at = this.length
    this.length += size
    if (this.bytes.length < this.length) {
      const larger = new Uint8Array(Math.max(this.length, this.bytes.length * 2, 1 << 16))
      larger.set(this.bytes.subarray(0, at))
      this.bytes = larger
    }
    return at
  }

  append(part: Uint8Array): void {
    const at = this.reserve(part.length)
    this.bytes.set(part, at)
  }

  /** Appends source[from .. to): short ranges byte by byte, which is faster than a call. */
  appendRange(source: Uint8Array, from: number, to: number): void {
    if (to - from > 64) {
      this.append(source.subarray(from, to))
      return
    }
    let at = this.reserve(to - from)
    const { bytes } = this
    for (let n = from; n < to; n += 1, at += 1) bytes[at] = source[n]!
  }

  /** Returns the bytes as a view, which the next bytes overwrite. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length)
    this.length = 0
    return taken
  }
}

/** Bits in Arrow's order, least significant first. */
export class GrowingBits {
  readonly #packed = new GrowingBytes()
  length = 0
  zeros = 0

  append(bit: boolean): void {
    if ((this.length & 7) === 0) this.#packed.bytes[this.#packed.reserve(1)] = 0
    if (bit) this.#packed.bytes[this.length >> 3]! |= 1 << (this.length & 7)
    else this.zeros += 1
    this.length += 1
  }

  /** Appends one bit per row of a vector's validity, or per selected row. */
  appendValidity(validity: Uint8Array | null, rows: number, selection: Uint32Array | null): void {
    const whole_bytes = selection === null && (this.length & 7) === 0
    const copied = whole_bytes ? this.#appendBytes(validity, rows >> 3) : 0
    const count = selection?.length ?? rows
    for (let n = copied; n < count; n += 1) this.append(isPresent(validity, selection?.[n] ?? n))
  }

  /** Returns the bits as a view, and the number of zeros. */
  take(): { readonly bits: Uint8Array; readonly zeros: number } {
    const taken = { bits: this.#packed.take(), zeros: this.zeros }
    this.length = 0
    this.zeros = 0
    return taken
  }

  /** Appends whole bytes at a byte boundary; returns the number of bits. */
  #appendBytes(validity: Uint8Array | null, count: number): number {
    const at = this.#packed.reserve(count)
    if (validity === null) this.#packed.bytes.fill(0xff, at, at + count)
    else this.#packed.bytes.set(validity.subarray(0, count), at)
    for (let byte = 0; validity !== null && byte < count; byte += 1) this.zeros += ZEROS_OF[validity[byte]!]!
    this.length += count * 8
    return count * 8
  }
}

const ZEROS_OF = Uint8Array.from({ length: 256 }, (_, byte) => 8 - byte.toString(2).replaceAll('0', '').length)

/** Arrow's offsets of texts and lists: one more than rows, starting with 0. */
export class GrowingOffsets {
  ends = new Int32Array(4096)
  #count = 1

  /** Makes room for `rows` more ends and returns the index of the first, which is never 0. */
  reserve(rows: number): number {
    const at = this.#count
    this.#count += rows
    if (this.ends.length < this.#count) {
      const larger = new Int32Array(Math.max(this.#count, this.ends.length * 2))
      larger.set(this.ends.subarray(0, at))
      this.ends = larger
    }
    return at
  }

  append(lengths: readonly number[]): void {
    const at = this.reserve(lengths.length)
    for (const [n, length] of lengths.entries()) this.ends[at + n] = this.ends[at + n - 1]! + length
  }

  /** Returns the offsets as a view, which the next ones overwrite. */
  take(): Int32Array {
    const taken = this.ends.subarray(0, this.#count)
    this.#count = 1
    return taken
  }
}

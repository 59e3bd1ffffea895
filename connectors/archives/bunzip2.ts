/**
 * bzip2 as its reference implementation writes it: blocks of at most 900 kB, each transformed, move-to-front and Huffman coded,
 * with a checksum of each block and of each stream. Node reads gzip only. The packages that read bzip2 hold whole files in memory,
 * or are not maintained and fail in unclear ways on a file that is cut.
 */

/** Thrown for data that are no complete bzip2 file. */
export class Bzip2Error extends Error {}

/** The longest compressed block: 900,000 symbols of 20 bits, and its tables. */
const BLOCK_BYTES_MAX = 2_400_000
const OUTPUT_BYTES = 256 * 1024
const BLOCK_MAGIC = 0x314159
const [BLOCK_MAGIC_REST, END_MAGIC, END_MAGIC_REST] = [0x265359, 0x177245, 0x385090]
const GROUP_SYMBOLS = 50
const CODE_BITS_MAX = 20

/**
 * Unpacks a bzip2 file of one or more streams, in memory of a block.
 * @throws {Bzip2Error} if the data are cut or corrupt
 */
export async function* bunzip2(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new BitInput(source)
  do {
    yield* unpackStream(input)
  } while (await input.fill(1))
}

async function* unpackStream(input: BitInput): AsyncGenerator<Buffer> {
  await input.fill(BLOCK_BYTES_MAX)
  const level = input.bits(24) === 0x425a68 ? input.bits(8) - 0x30 : 0
  if (level < 1 || level > 9) throw new Bzip2Error('has no bzip2 header')
  const block = new Uint32Array(level * 100_000)
  let combined = 0
  for (;;) {
    await input.fill(BLOCK_BYTES_MAX)
    const magic = [input.bits(24), input.bits(24)] as const
    const stated = input.word()
    if (magic[0] === END_MAGIC && magic[1] === END_MAGIC_REST) {
      if (stated !== combined) throw new Bzip2Error('has a wrong checksum')
      input.toByte()
      return
    }
    if (magic[0] !== BLOCK_MAGIC || magic[1] !== BLOCK_MAGIC_REST)
      throw new Bzip2Error('is corrupt: no block where one begins')
    const crc = { value: 0xffffffff }
    yield* outputOf(block, readBlock(input, block), crc)
    const found = ~crc.value >>> 0
    if (found !== stated) throw new Bzip2Error('has a wrong checksum')
    combined = (((combined << 1) | (combined >>> 31)) ^ found) >>> 0
  }
}

/** Bits of chunks, most significant first. */
class BitInput {
  readonly #chunks: AsyncIterator<Buffer>
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #held = 0
  #held_bits = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** Reads until the buffer has this many bytes or the source ends; returns whether it has any. */
  async fill(bytes: number): Promise<boolean> {
    if (this.#bytes.length - this.#at >= bytes) return true
    const parts = [this.#bytes.subarray(this.#at)]
    let length = parts[0]!.length
    while (length < bytes) {
      const next = await this.#chunks.next()
      if (next.done === true) break
      parts.push(next.value)
      length += next.value.length
    }
    this.#bytes = Buffer.concat(parts)
    this.#at = 0
    return length > 0
  }

  /** Returns the next bits, at most 24. */
  bits(count: number): number {
    while (this.#held_bits < count) {
      if (this.#at >= this.#bytes.length) throw new Bzip2Error('ends too early')
      this.#held = ((this.#held << 8) | this.#bytes[this.#at]!) & 0xffffffff
      this.#at += 1
      this.#held_bits += 8
    }
    this.#held_bits -= count
    return (this.#held >>> this.#held_bits) & ((1 << count) - 1)
  }

  word(): number {
    return (this.bits(16) * 0x10000 + this.bits(16)) >>> 0
  }

  /** Skips the rest of a byte. */
  toByte(): void {
    this.#held_bits -= this.#held_bits % 8
  }
}

/** A Huffman code in canonical form: per length the greatest code, and where its symbols are. */
type Code = {
  readonly limits: Int32Array
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
  readonly shortest: number
}

/** Place of a block's first byte, and its length. */
type Placed = { readonly origin: number; readonly length: number }

/** Decodes a block into `block`: its bytes in sorted order, linked in the order of the text. */
function readBlock(input: BitInput, block: Uint32Array): Placed {
  if (input.bits(1) === 1) throw new Bzip2Error('is randomised, as no bzip2 of this century writes it')
  const origin = input.bits(24)
  const used = readUsedBytes(input)
  const codes = readCodes(input, used.length + 2)
  const length = readSymbols(input, codes, used, block)
  if (origin >= length) throw new Bzip2Error('has a block without a beginning')
  linkBlock(block, length)
  return { origin: block[origin]! >>> 8, length }
}

function readUsedBytes(input: BitInput): number[] {
  const rows = input.bits(16)
  const used: number[] = []
  for (let row = 0; row < 16; row += 1) {
    const columns = (rows & (0x8000 >>> row)) === 0 ? 0 : input.bits(16)
    for (let column = 0; column < 16; column += 1)
      if ((columns & (0x8000 >>> column)) !== 0) used.push(row * 16 + column)
  }
  if (used.length === 0) throw new Bzip2Error('has a block without bytes')
  return used
}

type Codes = { readonly tables: readonly Code[]; readonly selectors: readonly number[] }

function readCodes(input: BitInput, symbols: number): Codes {
  const count = input.bits(3)
  const groups = input.bits(15)
  if (count < 2 || count > 6 || groups < 1) throw new Bzip2Error('has a block without codes')
  const order = Array.from({ length: count }, (_, n) => n)
  const selectors: number[] = []
  for (let group = 0; group < groups; group += 1) {
    let place = 0
    while (input.bits(1) === 1) place += 1
    if (place >= count) throw new Bzip2Error('names a code that is not there')
    const [selected] = order.splice(place, 1) as [number]
    order.unshift(selected)
    selectors.push(selected)
  }
  return { tables: Array.from({ length: count }, () => readCode(input, symbols)), selectors }
}

function readCode(input: BitInput, symbols: number): Code {
  const lengths = new Uint8Array(symbols)
  let length = input.bits(5)
  for (let symbol = 0; symbol < symbols; symbol += 1) {
    while (input.bits(1) === 1) length += input.bits(1) === 0 ? 1 : -1
    if (length < 1 || length > CODE_BITS_MAX) throw new Bzip2Error('has a code of impossible length')
    lengths[symbol] = length
  }
  return codeOf(lengths)
}

function codeOf(lengths: Uint8Array): Code {
  const symbols = new Uint16Array(lengths.length)
  const limits = new Int32Array(CODE_BITS_MAX + 1).fill(-1)
  const offsets = new Int32Array(CODE_BITS_MAX + 1)
  let [code, place] = [0, 0]
  for (let length = 1; length <= CODE_BITS_MAX; length += 1) {
    code <<= 1
    offsets[length] = place - code
    lengths.forEach((of_symbol, symbol) => {
      if (of_symbol !== length) return
      symbols[place] = symbol
      place += 1
      code += 1
    })
    limits[length] = code - 1
  }
  return { limits, offsets, symbols, shortest: Math.min(...lengths) }
}

function readSymbols(
  input: BitInput,
  { tables, selectors }: Codes,
  used: readonly number[],
  block: Uint32Array,
): number {
  const front = Uint8Array.from(used)
  const end = used.length + 1
  let [length, run, weight, group, left] = [0, 0, 1, 0, 0]
  let code = tables[0]!
  for (;;) {
    if (left === 0) {
      const selected = selectors[group]
      if (selected === undefined) throw new Bzip2Error('has a block longer than its codes')
      code = tables[selected]!
      group += 1
      left = GROUP_SYMBOLS
    }
    left -= 1
    const symbol = readSymbol(input, code)
    if (symbol < 2) {
      run += weight << symbol
      weight <<= 1
      if (run > block.length) throw new Bzip2Error('has a block that is too long')
      continue
    }
    if (run > 0) {
      if (length + run > block.length) throw new Bzip2Error('has a block that is too long')
      block.fill(front[0]!, length, length + run)
      length += run
      run = 0
      weight = 1
    }
    if (symbol === end) return length
    if (length >= block.length) throw new Bzip2Error('has a block that is too long')
    const byte = front[symbol - 1]!
    front.copyWithin(1, 0, symbol - 1)
    front[0] = byte
    block[length] = byte
    length += 1
  }
}

function readSymbol(input: BitInput, { limits, offsets, symbols, shortest }: Code): number {
  let code = input.bits(shortest)
  let length = shortest
  while (code > limits[length]!) {
    if (length === CODE_BITS_MAX) throw new Bzip2Error('has a code that is not there')
    code = (code << 1) | input.bits(1)
    length += 1
  }
  const symbol = symbols[code + offsets[length]!]
  if (symbol === undefined) throw new Bzip2Error('has a code that is not there')
  return symbol
}

/** Inverts the block's sorting: above each byte the place of the one that follows it in the text. */
function linkBlock(block: Uint32Array, length: number): void {
  const places = new Uint32Array(257)
  for (let n = 0; n < length; n += 1) places[(block[n]! & 0xff) + 1]! += 1
  for (let byte = 1; byte < 257; byte += 1) places[byte]! += places[byte - 1]!
  for (let n = 0; n < length; n += 1) {
    const byte = block[n]! & 0xff
    block[places[byte]!]! |= n << 8
    places[byte]! += 1
  }
}

/** Yields the text of a block. Four equal bytes are followed by the number of further ones. */
function* outputOf(block: Uint32Array, { origin, length }: Placed, crc: { value: number }): Generator<Buffer> {
  let out = Buffer.allocUnsafe(OUTPUT_BYTES)
  let [size, at, last, equal, value] = [0, origin, -1, 0, crc.value]
  for (let n = 0; n < length; n += 1) {
    const entry = block[at]!
    const byte = entry & 0xff
    at = entry >>> 8
    const is_count = equal === 4
    const copies = is_count ? byte : 1
    const written = is_count ? last : byte
    equal = is_count ? 0 : byte === last ? equal + 1 : 1
    last = is_count ? -1 : byte
    if (size + copies > OUTPUT_BYTES) {
      yield out.subarray(0, size)
      out = Buffer.allocUnsafe(OUTPUT_BYTES)
      size = 0
    }
    for (let copy = 0; copy < copies; copy += 1) {
      out[size] = written
      size += 1
      value = ((value << 8) ^ CRC_TABLE[((value >>> 24) ^ written) & 0xff]!) >>> 0
    }
  }
  crc.value = value
  if (size > 0) yield out.subarray(0, size)
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n << 24
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value >>> 0
})

import type { VenuePayload } from '../../pipelines/venues/record.ts'

/**
 * Payloads as they go from thread to thread: column by column in few pieces of memory, which change hands. As objects each of
 * their fields would be written and read by its name, a message's every time.
 */
export type PackedPayloads = {
  readonly origins: readonly Origin[]
  /** Of each payload the place of its origin. */
  readonly origin_of: Uint32Array
  readonly received_at: Float64Array
  readonly files: PackedTexts
  readonly texts: PackedTexts
}

type Origin = Pick<VenuePayload, 'venue_id' | 'endpoint' | 'request'>

/** Texts one after the other, and where in the bytes each ends. utf16le holds any text, also one with half a surrogate pair. */
type PackedTexts = {
  readonly bytes: Uint8Array
  readonly ends: Float64Array
  readonly encoding: 'latin1' | 'utf16le'
}

/** Takes payloads apart for the way to another thread. */
export function packPayloads(payloads: readonly VenuePayload[]): PackedPayloads {
  return {
    ...packOrigins(payloads),
    received_at: Float64Array.from(payloads, ({ received_at }) => received_at),
    files: packTexts(payloads.map(({ file }) => file)),
    texts: packTexts(payloads.map(({ text }) => text)),
  }
}

/**
 * The payloads again, each made when it is asked for and with texts of its own: what is read and forgotten takes no memory, and a
 * piece of a text that is remembered keeps no others there.
 */
export function* unpackPayloads(packed: PackedPayloads): Generator<VenuePayload> {
  const { origins, origin_of, received_at } = packed
  const [fileAt, textAt] = [textsOf(packed.files), textsOf(packed.texts)]
  for (let n = 0; n < received_at.length; n += 1) {
    const { venue_id, endpoint, request } = origins[origin_of[n]!]!
    yield { venue_id, endpoint, request, received_at: received_at[n]!, file: fileAt(n), text: textAt(n) }
  }
}

/** The memory that changes hands with a message. */
export function memoryOf({ origin_of, received_at, files, texts }: PackedPayloads): ArrayBuffer[] {
  const pieces = [origin_of, received_at, files.bytes, files.ends, texts.bytes, texts.ends]
  return pieces.map(({ buffer }) => buffer as ArrayBuffer)
}

function packOrigins(payloads: readonly VenuePayload[]): Pick<PackedPayloads, 'origins' | 'origin_of'> {
  const origins: Origin[] = []
  const places = new Map<string, number>()
  const origin_of = Uint32Array.from(payloads, ({ venue_id, endpoint, request }) => {
    const last = origins.at(-1)
    if (last?.endpoint === endpoint && last.request === request && last.venue_id === venue_id) return origins.length - 1
    const key = JSON.stringify([venue_id, endpoint, request])
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, origins.length)
    return origins.push({ venue_id, endpoint, request }) - 1
  })
  return { origins, origin_of }
}

function packTexts(texts: readonly string[]): PackedTexts {
  return packedAs('latin1', texts) ?? packedAs('utf16le', texts)!
}

/** Texts that are put together before they are written: what they make stays in the processor's cache. */
const TEXTS_AT_ONCE = 256

/** null where latin1, in which each character is a byte, is asked for and a text is not ASCII. */
function packedAs(encoding: PackedTexts['encoding'], texts: readonly string[]): PackedTexts | null {
  const width = encoding === 'latin1' ? 1 : 2
  const ends = new Float64Array(texts.length)
  let end = 0
  for (let n = 0; n < texts.length; n += 1) {
    end += texts[n]!.length * width
    ends[n] = end
  }
  const bytes = Buffer.allocUnsafeSlow(end)
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    const some = texts.slice(from, from + TEXTS_AT_ONCE).join('')
    if (width === 1 && Buffer.byteLength(some) !== some.length) return null
    bytes.write(some, from === 0 ? 0 : ends[from - 1]!, encoding)
  }
  return { bytes, ends, encoding }
}

function textsOf({ bytes, ends, encoding }: PackedTexts): (n: number) => string {
  const memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (n) => memory.toString(encoding, n === 0 ? 0 : ends[n - 1]!, ends[n])
}

import { wholeNumber } from '../../pipelines/text/whole-number.ts'
import type { VenuePayload } from '../../pipelines/venues/record.ts'

/**
 * Payloads in the form that is sent between threads: column by column in a few buffers, which are transferred. As objects, every field
 * of every payload would be serialized by name.
 */
export type PackedPayloads = {
  readonly origins: readonly Origin[]
  /** Index of each payload's origin in `origins`. */
  readonly origin_of: Uint32Array
  readonly received_at: Float64Array
  /** Line number of each payload that is a line of a file; NO_LINE: the origin's file is the payload's. */
  readonly lines: Float64Array
  readonly texts: PackedTexts
}

/** The fields that many payloads share. */
type Origin = Pick<VenuePayload, 'venue_id' | 'endpoint' | 'request' | 'file'>

const NO_LINE = -1

/** Texts in sequence, and the byte at which each ends. utf16le holds any text, also one with half a surrogate pair. */
type PackedTexts = {
  readonly bytes: Uint8Array
  readonly ends: Float64Array
  readonly encoding: 'latin1' | 'utf16le'
}

/** Packs payloads for another thread. */
export function packPayloads(payloads: readonly VenuePayload[]): PackedPayloads {
  return {
    ...packOrigins(payloads),
    received_at: Float64Array.from(payloads, ({ received_at }) => received_at),
    texts: packTexts(payloads.map(({ text }) => text)),
  }
}

/**
 * Unpacks payloads one at a time, each with a text of its own: a payload that was read takes no memory, and a remembered slice of a text
 * keeps no other text alive.
 */
export function* unpackPayloads(packed: PackedPayloads): Generator<VenuePayload> {
  const { origins, origin_of, received_at, lines } = packed
  const textAt = textsOf(packed.texts)
  for (let n = 0; n < received_at.length; n += 1) {
    const origin = origins[origin_of[n]!]!
    const { venue_id, endpoint, request } = origin
    const file = lines[n] === NO_LINE ? origin.file : `${origin.file}:${lines[n]}`
    yield { venue_id, endpoint, request, received_at: received_at[n]!, file, text: textAt(n) }
  }
}

/** Returns the buffers that are transferred with a message. */
export function memoryOf({ origin_of, received_at, lines, texts }: PackedPayloads): ArrayBuffer[] {
  const pieces = [origin_of, received_at, lines, texts.bytes, texts.ends]
  return pieces.map(({ buffer }) => buffer as ArrayBuffer)
}

function packOrigins(payloads: readonly VenuePayload[]): Pick<PackedPayloads, 'origins' | 'origin_of' | 'lines'> {
  const origins: Origin[] = []
  const places = new Map<string, number>()
  const origin_of = new Uint32Array(payloads.length)
  const lines = new Float64Array(payloads.length)
  let file = ''
  for (let n = 0; n < payloads.length; n += 1) {
    const { venue_id, endpoint, request, file: place } = payloads[n]!
    if (place.charCodeAt(file.length) !== COLON || !place.startsWith(file)) file = fileOf(place)
    lines[n] = lineOf(place, file)
    const origin = { venue_id, endpoint, request, file: lines[n] === NO_LINE ? place : file }
    origin_of[n] = placeAmongFirst(origins, origin) ?? placeOf(origins, places, origin)
  }
  return { origins, origin_of, lines }
}

const [COLON, ZERO] = [58, 48]

/** The file that a payload may be a line of; neighboring payloads are mostly of one file. */
function fileOf(place: string): string {
  return place.slice(0, Math.max(place.lastIndexOf(':'), 0))
}

/** The line number in `place`; NO_LINE if file and number would not give the same text again. */
function lineOf(place: string, file: string): number {
  const from = file.length + 1
  const line = place.charCodeAt(file.length) === COLON ? wholeNumber(place, from) : NO_LINE
  return place.charCodeAt(from) === ZERO && place.length > from + 1 ? NO_LINE : line
}

/** Origins that are searched one by one before a key is made: a stream has a handful, all of which appear early. */
const LOOKED_THROUGH_MAX = 16

function placeAmongFirst(origins: readonly Origin[], { venue_id, endpoint, request, file }: Origin): number | null {
  for (let n = 0; n < origins.length && n < LOOKED_THROUGH_MAX; n += 1) {
    const known = origins[n]!
    const is_same = known.endpoint === endpoint && known.request === request && known.file === file
    if (is_same && known.venue_id === venue_id) return n
  }
  return null
}

function placeOf(origins: Origin[], places: Map<string, number>, origin: Origin): number {
  const key = JSON.stringify(origin)
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, origins.length)
  return origins.push(origin) - 1
}

function packTexts(texts: readonly string[]): PackedTexts {
  return packedAs('latin1', texts) ?? packedAs('utf16le', texts)!
}

/** Texts joined before they are written; few enough to stay in the processor's cache. */
const TEXTS_AT_ONCE = 256

/** Packs texts in an encoding; null for latin1, with one byte a character, if a text is not ASCII. */
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

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Content codings that large responses are offered in, preferred first. */
const CODINGS = ['br', 'gzip'] as const
export type ContentCoding = (typeof CODINGS)[number]

/** Length in bytes from which a response is compressed. Latest reads are shorter, and a packet holds little less. */
export const COMPRESSED_FROM = 16 * 1024

/** Effort of each coding: a few milliseconds for a page of 1,000 records. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

/** Returns the coding of a response that a client accepts most; null: none (RFC 9110, 12.5.3). */
export function contentCoding(accept_encoding: string | undefined): ContentCoding | null {
  if (accept_encoding === undefined) return null
  const weights = weightsOf(accept_encoding)
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let best: ContentCoding | null = null
  for (const coding of CODINGS) {
    const weight = weightOf(coding)
    if (weight > 0 && (best === null || weight > weightOf(best))) best = coding
  }
  return best
}

/** Returns the weight of each member of an Accept header, by its name in lower case; a malformed weight counts as 0. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const members = header.split(',').map((member) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0] as const
  })
  return new Map(members.filter(([name]) => name !== ''))
}

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** Compresses a whole body outside the event loop. */
export function compressed(body: string, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return compressGzip(body, { level: GZIP_LEVEL })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_PARAM_SIZE_HINT } = constants
  const params = {
    [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
    [BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  return compressBrotli(body, { params })
}

/** Returns the entity tag of the coded form of a response: another sequence of bytes has another strong tag. */
export function codedTag(tag: string, coding: ContentCoding): string {
  return `${tag.slice(0, -1)}-${coding}"`
}

const CODED = new RegExp(`-(${CODINGS.join('|')})"$`)

/** Returns the tag of the plain form of a response. */
export function plainTag(tag: string): string {
  return tag.replace(CODED, '"')
}

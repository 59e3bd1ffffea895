import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'
import { normalizedPath, sortedQuery } from '../canonical-request.ts'
import { bodyGuesses } from './body-guesses.ts'
import type { Cause } from './causes.ts'
import type { SentRequest } from './sent.ts'

/** Labels of the nine lines, in their order. */
export const LABELS = [
  'SVC-Access-Signature-Version',
  'method',
  'path',
  'query',
  'body_sha256',
  'timestamp',
  'nonce',
  'key_id',
  'environment',
] as const
export type Label = (typeof LABELS)[number]

/** Lines of a canonical request, by label. */
export type RequestLines = Readonly<Record<Label, string>>

/** Value that a usual mistake puts into one line, and into another one with it. */
export type LineGuess = {
  readonly label: Label
  readonly value: string
  readonly cause: Cause
  readonly also?: Partial<RequestLines>
}

/** Returns what usual mistakes make of each line, the likeliest first; no guess equals the right value. */
export function lineGuesses(sent: SentRequest, lines: RequestLines): readonly LineGuess[] {
  const [path, query] = splitTarget(sent.target)
  const all: readonly (readonly [Label, Cause, readonly string[]])[] = [
    [
      'query',
      'query_not_sorted',
      [pairsOf(query).map(written).join('&'), ...(isPermuted(query, lines.query) ? [query] : [])],
    ],
    ['query', 'query_left_out', ['']],
    ['query', 'query_with_mark', [`?${lines.query}`, `?${query}`]],
    ['query', 'query_sorted_as_text', [lines.query.split('&').sort().join('&')]],
    ['query', 'query_encoded_otherwise', encodings(query, lines.query)],
    ['path', 'path_without_version', [lines.path.replace(/^\/v1(?=\/)/, '')]],
    ['path', 'path_with_query', [sent.target, `${lines.path}?${lines.query}`]],
    ['path', 'path_with_host', hosts(sent.headers.host, lines.path)],
    ['path', 'path_trailing_slash', [`${lines.path}/`, lines.path.replace(/\/$/, '')]],
    [
      'path',
      'path_not_normalized',
      [path, decoded(path), encodeURIComponent(path), decoded(path).split('/').map(encodeURIComponent).join('/')],
    ],
    ['method', 'method_lower_case', [sent.method.toLowerCase()]],
    ['method', 'method_differs', ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'WS']],
    ...bodyGuesses(sent.body).map(([cause, values]) => ['body_sha256', cause, values] as const),
    ['timestamp', 'timestamp_unit', timestampUnits(lines.timestamp)],
    ['environment', 'environment_differs', ENVIRONMENTS],
    ['SVC-Access-Signature-Version', 'version_differs', ['1', 'V1', 'v2', '']],
  ]
  const single = all.flatMap(([label, cause, values]) =>
    [...new Set(values)].filter((value) => value !== lines[label]).map((value) => ({ label, cause, value })),
  )
  if (lines.query === '') return single
  const whole = [sent.target, `${lines.path}?${lines.query}`, `${lines.path}?${query}`]
  const also = { query: '' }
  return [...single, ...whole.map((value): LineGuess => ({ label: 'path', cause: 'path_with_query', value, also }))]
}

/** Returns lines with the mistake of a guess. */
export function mistaken(lines: RequestLines, { label, value, also }: LineGuess): RequestLines {
  return { ...lines, ...also, [label]: value }
}

/** Texts that a usual mistake makes of nine right lines. */
export function textGuesses(lines: RequestLines): readonly (readonly [Cause, readonly string[]])[] {
  const text = textOf(lines)
  const hash = sha256(utf8ToBytes(text))
  return [
    ['newline_at_end', [`${text}\n`, `${text}\r\n`]],
    [
      'lines_joined_otherwise',
      [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\\n'), text.replaceAll('\n', '')],
    ],
    [
      'labels_written_otherwise',
      [LABELS.map((label) => lines[label]).join('\n'), text.replaceAll(/^([^:\n]+):/gm, '$1: ')],
    ],
    ['hash_signed', [bytesToHex(hash)]],
  ]
}

/** Names of environments that deployments have. */
export const ENVIRONMENTS = ['sandbox', 'production', 'prod', 'staging', 'test', '']

/** Joins nine lines. */
export function textOf(lines: RequestLines): string {
  return LABELS.map((label) => `${label}:${lines[label]}`).join('\n')
}

/** Splits a target into path and query. */
function splitTarget(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

function hosts(host: string | undefined, path: string): readonly string[] {
  return host === undefined ? [] : [`https://${host}${path}`, `http://${host}${path}`, `${host}${path}`]
}

type Pair = readonly [key: string, value: string]

function pairsOf(query: string): readonly Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    })
}

/** Writes one pair as the canonical query does. */
function written([key, value]: Pair): string {
  return sortedQuery(`${key}=${value}`)
}

function isPermuted(query: string, sorted: string): boolean {
  return [...query.split('&')].sort().join('&') === [...sorted.split('&')].sort().join('&')
}

/** Returns sorted and unsorted queries in the encodings of other programs. */
function encodings(query: string, sorted: string): readonly string[] {
  const pairs = pairsOf(sorted)
  const of = (write: (text: string) => string) => pairs.map(([key, value]) => `${write(key)}=${write(value)}`).join('&')
  return [
    query,
    of(decoded),
    of((text) => encodeURIComponent(decoded(text))),
    of((text) => text.replaceAll('%20', '+')),
    of((text) => text.replaceAll('%2B', '%20')),
    of((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    of((text) => text.replaceAll('~', '%7E')),
    of((text) => encodeURIComponent(decoded(text)).replaceAll('%20', '+').replaceAll('~', '%7E')),
    of((text) => encodeURIComponent(text)),
    pairs.map(([key, value]) => (value === '' ? key : `${key}=${value}`)).join('&'),
  ]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a timestamp of milliseconds in the other units; none of one that is not of milliseconds. */
function timestampUnits(timestamp: string): readonly string[] {
  if (!/^\d{4,15}$/.test(timestamp)) return []
  return [
    timestamp.slice(0, -3),
    `${timestamp.slice(0, -3)}.${timestamp.slice(-3)}`,
    `${timestamp}000`,
    `${timestamp}.0`,
  ]
}

/** Returns the bytes of a signature in another notation as lower-case hex; null: it is none that is known. */
export function plainSignature(signature: string): string | null {
  const hex = signature.replace(/^0x/i, '').toLowerCase()
  if (HEX_SIGNATURE.test(hex)) return hex
  if (!/^[A-Za-z0-9+/_-]{42,88}={0,2}$/.test(signature)) return null
  const bytes = base64Bytes(signature)
  return bytes !== null && (bytes.length === 32 || bytes.length === 64) ? bytesToHex(bytes) : null
}

/** Accepted lengths: 32 bytes of an HMAC, 64 of Ed25519. */
export const HEX_SIGNATURE = /^([0-9a-f]{64}|[0-9a-f]{128})$/

function base64Bytes(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
    return hexToBytes(Array.from(binary, (one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join(''))
  } catch {
    return null
  }
}

/** Returns the lines that the service signs a request over. @throws {ServiceError} VALIDATION_REQUEST_MALFORMED */
export function expectedLines(
  sent: SentRequest,
  headers: { readonly timestamp: string; readonly nonce: string; readonly key_id: string },
  environment: string,
): RequestLines {
  const [path, query] = splitTarget(sent.target)
  return {
    'SVC-Access-Signature-Version': 'v1',
    method: sent.method.toUpperCase(),
    path: normalizedPath(path),
    query: sortedQuery(query),
    body_sha256: bytesToHex(sha256(utf8ToBytes(sent.body))),
    timestamp: headers.timestamp,
    nonce: headers.nonce,
    key_id: headers.key_id,
    environment,
  }
}

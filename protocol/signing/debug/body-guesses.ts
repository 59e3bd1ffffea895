import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import type { Cause } from './causes.ts'
import { isJsonObject } from './sent.ts'

/** Returns what usual mistakes put in place of the hash of a body. */
export function bodyGuesses(body: string): readonly (readonly [Cause, readonly string[]])[] {
  const hash = hashOf(body)
  const of_empty: readonly (readonly [Cause, readonly string[]])[] =
    body === '' ? [['empty_body_hashed', ['{}', 'null', '""', '\n'].map(hashOf)]] : [['body_left_out', [hashOf('')]]]
  return [
    ...of_empty,
    ['body_newline', newlines(body).map(hashOf)],
    ['body_reserialized', rewritten(body).map(hashOf)],
    ['body_not_hashed', [body]],
    [
      'body_hash_written_otherwise',
      [hash.toUpperCase(), `0x${hash}`, `sha256:${hash}`, base64(sha256(utf8ToBytes(body)))],
    ],
  ]
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

function newlines(body: string): readonly string[] {
  if (body === '') return []
  return [
    `${body}\n`,
    `${body}\r\n`,
    body.replace(/\r?\n$/, ''),
    body.replaceAll('\r\n', '\n'),
    body.replaceAll(/\r?\n/g, '\r\n'),
  ]
}

/** Returns the JSON of a body as other programs write it. */
function rewritten(body: string): readonly string[] {
  const value = parsed(body)
  if (value === undefined) return []
  const written = [
    JSON.stringify(value),
    compactSorted(value),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
    spaced(value, false),
    spaced(value, true),
  ]
  return [...written, ...written.map(asciiOnly)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes JSON with a space after commas and colons, as Python does. */
function spaced(value: unknown, sorted: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => spaced(one, sorted)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value)
  if (sorted) pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one, sorted)}`).join(', ')}}`
}

/** Writes JSON without spaces and with sorted names. */
function compactSorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (isJsonObject(one) ? sortedByName(one) : one))
}

function sortedByName(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function asciiOnly(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

import { endOfString, JsonFault, parseStrictText } from '../../primitives/strict-json.ts'
import { JSON_DEPTH_MAX } from '../../protocol/limits.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON document that no two parsers read differently: UTF-8 without a byte order mark, no duplicate keys, no lone
 * surrogates, at most JSON_DEPTH_MAX levels.
 * @throws {RequestRefusal} VALIDATION_BODY_INVALID
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decoded(bytes)
  // Checked before the text is parsed, which does not limit its depth.
  if (opensMany(text) && depthOf(text) > JSON_DEPTH_MAX)
    throw refusal('is nested too deep', `at most ${JSON_DEPTH_MAX} levels`)
  const value = parsed(text)
  if (/\\u[dD][89a-fA-F]/.test(text) && hasHalfPair(value)) {
    throw refusal('has half of a surrogate pair', 'text that is Unicode')
  }
  return value
}

function decoded(bytes: Uint8Array): string {
  if (bytes.length === 0) throw refusal('is empty', 'a JSON object')
  try {
    return UTF8.decode(bytes)
  } catch {
    throw refusal('is no UTF-8', 'JSON in UTF-8')
  }
}

function parsed(text: string): unknown {
  try {
    return parseStrictText(text)
  } catch (error) {
    if (error instanceof JsonFault) throw refusal(error.message, error.allowed)
    throw error
  }
}

/** Reports whether the text has more opening brackets than levels are allowed; a cheap first check. */
function opensMany(text: string): boolean {
  let opened = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      opened += 1
      if (opened > JSON_DEPTH_MAX) return true
    }
  }
  return false
}

/** Returns the depth of a text; undefined for text that is not JSON. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_OBJECT || code === OPEN_LIST) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1
  }
  return deepest
}

const QUOTE = 0x22
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** Lone surrogate; with the flag u, a pair does not match. */
const HALF_PAIR = /[\ud800-\udfff]/u

function hasHalfPair(value: unknown): boolean {
  if (typeof value === 'string') return HALF_PAIR.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, part]) => HALF_PAIR.test(key) || hasHalfPair(part))
}

function refusal(what: string, allowed: string): RequestRefusal {
  const fault = violation('VALIDATION_BODY_INVALID', 'body', null, '')
  return new RequestRefusal([{ ...fault, message: `the body ${what}; allowed: ${allowed}` }])
}

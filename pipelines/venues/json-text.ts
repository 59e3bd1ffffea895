import { Quarantined } from './quarantine.ts'

/** A JSON value whose numbers are texts: the digits that the source wrote, which no double has touched. */
export type JsonText = string | boolean | null | JsonTextObject | readonly JsonText[]
export type JsonTextObject = { readonly [field: string]: JsonText | undefined }

/** Strings, which are left as they are, or numbers; nothing else in JSON has digits. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Where a number can stand in JSON; a text without such a place has only strings, which need no quoting. */
const NUMBER_BEGINS = /(?:^|[[:,])\s*-?\d/

/**
 * Parses JSON and gives every number as its source text, so that 0.45530000000000004 or a 78-digit token id arrives as
 * written. A number and a string of the same text are the same afterwards: venues mix both for one field.
 * @throws Quarantined BAD_JSON
 */
export function parseJsonText(text: string): JsonText {
  try {
    return JSON.parse(NUMBER_BEGINS.test(text) ? quoteNumbers(text) : text) as JsonText
  } catch {
    // Not JSON, or a string so long that the pattern gives up on it.
    throw new Quarantined('BAD_JSON')
  }
}

function quoteNumbers(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) => (token.charCodeAt(0) === 34 ? token : `"${token}"`))
}

/** The value as an object. @throws Quarantined UNKNOWN_SHAPE */
export function objectOf(value: JsonText | undefined): JsonTextObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as JsonTextObject
}

/** The value as a list; absent and null are an empty one. @throws Quarantined UNKNOWN_SHAPE */
export function listOf(value: JsonText | undefined): readonly JsonText[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as readonly JsonText[]
}

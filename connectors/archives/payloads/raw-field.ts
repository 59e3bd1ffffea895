import { invariant } from '../../../primitives/errors.ts'

/** A string, a bracket, a colon or a comma; numbers, words and blanks lie between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * Returns the source text of one field of a JSON object; no number in it has been through a double.
 * @param text a JSON object that `JSON.parse` accepts
 * @returns the last of repeated fields, like `JSON.parse`; null if absent
 */
export function rawField(text: string, field: string): string | null {
  let depth = 0
  let key: string | null = null
  let value_from = -1
  let found: string | null = null
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const is_end = depth === 1 && (token === ',' || token === '}')
    if (is_end && key === field && value_from >= 0) found = text.slice(value_from, index).trim()
    if (is_end) {
      key = null
      value_from = -1
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && token === ':') value_from = index + 1
    else if (depth === 1 && value_from < 0 && token.startsWith('"')) key = JSON.parse(token) as string
  }
  invariant(depth === 0, 'rawField: the text is not a JSON object')
  return found
}

import { invariant } from '../../../primitives/errors.ts'

/** A string, a bracket or a comma; numbers, words, colons and blanks lie between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

/**
 * Returns the source text of every element of a JSON list, in order; no number in them has been through a double.
 * @param text a JSON list that `JSON.parse` accepts
 */
export function rawItems(text: string): string[] {
  const items: string[] = []
  let depth = 0
  let from = -1
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === ']')) {
      const item = text.slice(from, index).trim()
      if (item !== '') items.push(item)
      from = index + 1
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth === 1 && from < 0) from = index + 1
  }
  invariant(depth === 0, 'rawItems: the text is not a JSON list')
  return items
}

import { isObject } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { plainLines, plainText } from '../../primitives/plain-text.ts'

const ALLOWED = 'a text without control characters and without marks that turn the order of text'

/**
 * Refuses control characters, and marks that turn the order of text, in every text of a value: people decide by what they see. Tabs and
 * line feeds may stay. Acts and definitions of earlier releases are read without it.
 * @param path name of the value in the message
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the field
 */
export function requirePlainTexts(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (plainLines(value) !== value)
      throw notAllowed('VALIDATION_DEFINITION_INVALID', path, JSON.stringify(plainText(value)), ALLOWED)
    return
  }
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) requirePlainTexts(item, `${path}[${n}]`)
    return
  }
  if (!isObject(value)) return
  for (const [name, item] of Object.entries(value)) {
    requirePlainTexts(name, `name of a field of ${path}`)
    requirePlainTexts(item, `${path}.${name}`)
  }
}

import { plainLines } from './plain-text.ts'

/** Beginning of a text that a spreadsheet takes for a formula, and of one that the rule below has changed. */
export const FORMULA = /^'*[=+\-@\t]/
/** A number is no formula, whatever its sign. */
export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Returns a cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, and so does one that
 * begins with apostrophes and such a character: a reader that takes one away from these has the text again. Control characters are
 * replaced. Pure.
 * @param exact  the text as it is, for programs
 */
export function csvCell(text: string, exact = false): string {
  const shown = exact ? text : harmless(plainLines(text))
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

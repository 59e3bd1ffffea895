/**
 * Characters that make a text look like another one: control characters, which move the cursor or color a terminal, separators of lines,
 * and marks that turn the order of what follows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Replaces each character that could make a text look like another one by a question mark. Pure. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, '?')
}

/** Does the same to a text of several lines, whose tabs stay and whose lines end with LF. Pure. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, (one) => (one === '\n' || one === '\t' ? one : '?'))
}

/** Returns a text of one line without such characters: they are written as escapes. Pure. */
export function escapedText(text: string): string {
  return text.replace(UNSAFE, escaped)
}

function escaped(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the JSON text of a value without such characters: as escapes, the value stays exact. Pure. */
export function plainJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (one) => (one === '\n' ? one : escaped(one)))
}

/** Reports whether a link may lead to an address: http, https, or a place of our own pages. Pure. */
export function isLinkable(address: string): boolean {
  return /^(https?:\/\/|[/#?]|$)/i.test(address)
}

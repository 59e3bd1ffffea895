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

/** Does the same to a text of several lines, whose line ends and tabs stay. */
export function plainLines(text: string): string {
  return text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '?'))
}

/** Returns an address that a link may lead to: http or https; null: any other text. */
export function webAddress(text: string | null | undefined): string | null {
  return text != null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

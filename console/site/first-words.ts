/** Most words that are looked for: each takes milliseconds, during which the page does not react. */
const WORDS_MAX = 10

/** Returns the words of a text that are looked for, each once. */
export function firstWords(text: string): string {
  const words = text.split(/[\s\p{Z}\p{P}]+/u)
  return [...new Set(words.filter((word) => word !== ''))].slice(0, WORDS_MAX).join(' ')
}

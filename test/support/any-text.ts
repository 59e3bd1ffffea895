import fc from 'fast-check'

/** First of the code points that are half of a pair, and their count: no text has one alone. */
const HALVES = 0xd800
const HALVES_COUNT = 0x800
const COUNT = 0x110000 - HALVES_COUNT

/** Any character of Unicode. The one of fast-check keeps a map of all of them, 90 MB that each collection of garbage walks over. */
const anyCharacter = fc.nat({ max: COUNT - 1 }).map(
  (n) => String.fromCodePoint(n < HALVES ? n : n + HALVES_COUNT),
  (text) => {
    const code = typeof text === 'string' && [...text].length === 1 ? text.codePointAt(0)! : HALVES
    if (code >= HALVES && code < HALVES + HALVES_COUNT) throw new RangeError('it is not one character')
    return code < HALVES ? code : code - HALVES_COUNT
  },
)

/** Texts of any characters of Unicode. */
export function anyText(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ ...lengths, unit: anyCharacter })
}

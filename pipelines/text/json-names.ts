/**
 * Names of fields, which come again and again: each is kept once, as a property's name and no slice of a document. By their
 * slot; the first of a slot stays, so that two of one slot do not take turns.
 */
const SLOT_MASK = 4095
const LENGTH_MAX = 64
/** No name holds a quote that is not escaped. */
const NO_NAME = '"'
const NAMES: string[] = Array.from({ length: SLOT_MASK + 1 }, () => NO_NAME)

/** The name that stands there in a text, where it is known; else null. */
export function knownName(text: string, from: number, to: number): string | null {
  const known = NAMES[slotOf(text, from, to)]!
  return known.length === to - from && text.slice(from, to) === known ? known : null
}

/** Keeps a name that stands there, without escapes, where its slot is free. */
export function rememberName(text: string, from: number, to: number, name: string): void {
  const slot = slotOf(text, from, to)
  if (NAMES[slot] === NO_NAME && name.length <= LENGTH_MAX) NAMES[slot] = Object.keys({ [name]: null })[0]!
}

/** A number made of three characters of a name and its length. */
function slotOf(text: string, from: number, to: number): number {
  const [first, middle, last] = [text.charCodeAt(from), text.charCodeAt((from + to) >>> 1), text.charCodeAt(to - 1)]
  return (((first * 31 + middle) * 31 + last) * 31 + to - from) & SLOT_MASK
}

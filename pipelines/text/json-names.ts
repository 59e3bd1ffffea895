/**
 * Memo of field names, which repeat: each is kept once, as a property's name and not as a slice of a document. The first name
 * of a slot stays, so two names of one slot do not alternate. A name depends on its text alone.
 */
const SLOT_MASK = 4095
const LENGTH_MAX = 64
/** Marks a free slot: no name contains an unescaped quote. */
const NO_NAME = '"'
const NAMES: string[] = Array.from({ length: SLOT_MASK + 1 }, () => NO_NAME)

/** Returns the name at a range of a text if it is known, else null. */
export function knownName(text: string, from: number, to: number): string | null {
  const known = NAMES[slotOf(text, from, to)]!
  return known.length === to - from && text.slice(from, to) === known ? known : null
}

/** Keeps a name without escapes if its slot is free. */
export function rememberName(text: string, from: number, to: number, name: string): void {
  const slot = slotOf(text, from, to)
  if (NAMES[slot] === NO_NAME && name.length <= LENGTH_MAX) NAMES[slot] = Object.keys({ [name]: null })[0]!
}

/** Hashes three characters of a name and its length. */
function slotOf(text: string, from: number, to: number): number {
  const [first, middle, last] = [text.charCodeAt(from), text.charCodeAt((from + to) >>> 1), text.charCodeAt(to - 1)]
  return (((first * 31 + middle) * 31 + last) * 31 + to - from) & SLOT_MASK
}

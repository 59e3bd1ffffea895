import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'

/** Memo of recent texts, a power of two: a commit has few instants beside its rows. A text depends on its instant alone. */
const [REMEMBERED_BITS, SPREAD] = [12, 0x9e3779b1]
const micros_at = new Float64Array(2 ** REMEMBERED_BITS).fill(Number.NaN)
const text_at: Instant[] = new Array<Instant>(2 ** REMEMBERED_BITS).fill('')

/** Formats an instant like formatMicros, printing repeated ones once: each slot keeps its last instant. */
export function instantText(micros: Micros): Instant {
  // The low bits of whole seconds are mostly alike; the high ones of this product are not.
  const slot = Math.imul(micros, SPREAD) >>> (32 - REMEMBERED_BITS)
  if (micros_at[slot] === micros) return text_at[slot]!
  const text = formatMicros(micros)
  micros_at[slot] = micros
  text_at[slot] = text
  return text
}

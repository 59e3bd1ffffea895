import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'

/** Texts that are remembered: the instants of a commit are few beside its rows. */
const REMEMBERED_MAX = 4096

const remembered = new Map<Micros, Instant>()

/** formatMicros that prints the instants of many records once each. */
export function instantText(micros: Micros): Instant {
  const found = remembered.get(micros)
  if (found !== undefined) return found
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const text = formatMicros(micros)
  remembered.set(micros, text)
  return text
}

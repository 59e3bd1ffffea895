import type { OwnOutcome } from './own-market.ts'
import { ownOrderBookOf } from './own-resources.ts'

type Made = { readonly sequence: number; readonly bytes: Buffer }

/** Of each outcome the last book made of each depth; a depth is one of at most so many as clients ask for. */
const made = new WeakMap<OwnOutcome, Map<number, Made>>()
const DEPTHS_MAX = 8

/** JSON of an outcome's book, made once for each of its events. */
export function ownBookBytes(outcome: OwnOutcome, depth: number): Buffer {
  const { sequence } = outcome.book
  const of_outcome = made.get(outcome) ?? new Map<number, Made>()
  made.set(outcome, of_outcome)
  const known = of_outcome.get(depth)
  if (known?.sequence === sequence) return known.bytes
  if (known === undefined && of_outcome.size >= DEPTHS_MAX) of_outcome.clear()
  const bytes = Buffer.from(JSON.stringify(ownOrderBookOf(outcome, depth)))
  of_outcome.set(depth, { sequence, bytes })
  return bytes
}

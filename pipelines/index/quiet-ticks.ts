import type { Micros } from '../../primitives/instants.ts'
import type { Mark } from '../market/mark.ts'
import type { MarkHistory } from '../market/outcome.ts'
import { isSameSource } from '../market/outlier.ts'
import type { OutcomeInput, Quote } from '../market/quote.ts'
import type { LegData } from './admission.ts'
import type { LegState } from './evaluate-leg.ts'
import type { Parameters } from './parameters.ts'

/**
 * Returns every instant at which a record of some legs becomes admissible, ascending: a tick between two of them admits what the tick
 * before it admitted.
 */
export function admissionInstants(legs: readonly LegData[], grace: Micros): Float64Array {
  const instants: number[] = []
  for (const { quotes, other, resolutions, states } of legs) {
    for (const columns of other === null ? [quotes] : [quotes, other]) {
      const known_at = columns.known_at ?? columns.received_at
      for (let row = 0; row < columns.length; row++)
        instants.push(Math.max(columns.source_at[row]!, known_at[row]! - grace))
    }
    for (const record of [...resolutions, ...states])
      instants.push(Math.max(record.source_at, (record.known_at ?? record.received_at) - grace))
  }
  return Float64Array.from(instants).sort()
}

/** Returns whether a tick left the memory of an outcome as it was: with the same inputs and ages the next tick repeats it. */
export function isSameState(before: LegState, after: LegState): boolean {
  return (
    isSameHistory(before.history, after.history) &&
    areSameMarks(before.outlier.accepted, after.outlier.accepted) &&
    areSameMarks(before.outlier.pending, after.outlier.pending)
  )
}

/**
 * Returns the first instant after a tick at which an age alone can change the mark of an outcome; infinity if none can. Every age in
 * methodology index-1 §4 to 6 counts from an instant of an admitted record or of a remembered mark, so each such instant and each
 * limit is one candidate more; a candidate that changes nothing costs a tick, no result.
 */
export function nextAgeing(state: LegState, input: OutcomeInput, tick_at: Micros, p: Parameters): Micros {
  const ageing = new Ageing(tick_at, p)
  // Nothing of a mark is later than its cutoff, and marks are newest first: all earlier ones have passed every limit, too.
  for (let node = state.history; node !== null && ageing.mayCome(node.mark.cutoff_at); node = node.earlier)
    ageing.considerMark(node.mark)
  for (const mark of state.outlier.accepted) ageing.considerMark(mark)
  for (const mark of state.outlier.pending) ageing.considerMark(mark)
  if (input.quote !== null) ageing.considerQuote(input.quote)
  if (input.other !== null) ageing.considerQuote(input.other)
  ageing.consider(input.resolution?.source_at ?? null)
  ageing.consider(input.market?.source_at ?? null)
  ageing.consider(input.market?.closes_at ?? null)
  return ageing.next
}

/** The earliest instant after a tick at which an age that counts from one of the instants considered passes a limit. */
class Ageing {
  next: Micros = Number.POSITIVE_INFINITY
  readonly #tick_at: Micros
  readonly #limits: readonly Micros[]
  readonly #longest: Micros

  constructor(tick_at: Micros, p: Parameters) {
    this.#tick_at = tick_at
    this.#limits = [0, p.stale_after, p.max_carry, p.book_max_age, p.t_recent, p.t_last, p.outlier.window_max_age]
    this.#longest = Math.max(...this.#limits)
  }

  /** Whether an age that counts from an instant, or from an earlier one, can still pass a limit. */
  mayCome(at: Micros): boolean {
    return at + this.#longest >= this.#tick_at
  }

  consider(at: Micros | null): void {
    if (at === null) return
    for (let n = 0; n < this.#limits.length; n += 1) {
      // An age equal to its limit is within it: the tick at the limit and the first one after it may differ.
      const passed = at + this.#limits[n]!
      const instant = passed === this.#tick_at ? passed + 1 : passed
      if (instant > this.#tick_at && instant < this.next) this.next = instant
    }
  }

  considerMark({ source_at, confirmed_at }: Mark): void {
    this.consider(source_at)
    if (confirmed_at !== source_at) this.consider(confirmed_at)
  }

  considerQuote({ source_at, received_at, confirmed_at, last_trade_at }: Quote): void {
    this.consider(source_at)
    if (received_at !== source_at) this.consider(received_at)
    this.consider(confirmed_at)
    this.consider(last_trade_at)
  }
}

/** Compares two histories; the later one shares the nodes that it kept, so the comparison ends at the first shared one. */
function isSameHistory(before: MarkHistory, after: MarkHistory): boolean {
  let [a, b] = [before, after]
  while (a !== b) {
    if (a === null || b === null || !(a.mark === b.mark || isSameMark(a.mark, b.mark))) return false
    a = a.earlier
    b = b.earlier
  }
  return true
}

function areSameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, i) => mark === b[i] || isSameMark(mark, b[i]!))
}

/** Compares all that a later tick reads; the cutoff of a mark is its own record of when it was formed. */
function isSameMark(a: Mark, b: Mark): boolean {
  return (
    a.rule === b.rule &&
    a.origin_rule === b.origin_rule &&
    a.source_at === b.source_at &&
    a.confirmed_at === b.confirmed_at &&
    isSameSource(a, b)
  )
}

import type { Micros } from '../../../primitives/instants.ts'
import { copyMark, type IntegerMark, noMark } from './quote-mark.ts'
import { NONE } from './units.ts'

/**
 * The M1..M6 marks of one outcome, as far as M7 and frozen look back at them. M7 needs the newest one. Frozen needs the
 * newest one from before an instant; all such instants are known beforehand, so for each of them the last mark before it is
 * set aside when a later one replaces it. Nothing else is kept.
 */
export class MarkHistory {
  readonly newest: IntegerMark = noMark()
  readonly #instants: readonly Micros[]
  #aside: (IntegerMark | null)[]

  /** @param instants every instant that `lastBefore` may be asked for, ascending */
  constructor(instants: readonly Micros[]) {
    this.#instants = instants
    this.#aside = instants.map(() => null)
  }

  /** An independent history with the same memory. */
  clone(): MarkHistory {
    const copy = new MarkHistory(this.#instants)
    copyMark(this.newest, copy.newest)
    copy.#aside = [...this.#aside]
    return copy
  }

  /** The marks set aside, by the instant that each is the last one before. */
  asides(): { readonly instant: Micros; readonly mark: IntegerMark }[] {
    return this.#instants.flatMap((instant, i) => {
      const mark = this.#aside[i]
      return mark === null || mark === undefined ? [] : [{ instant, mark }]
    })
  }

  /** Takes over a memory; what was set aside for an instant that is none of this history's is left out. */
  restore(
    newest: IntegerMark | null,
    asides: readonly { readonly instant: Micros; readonly mark: IntegerMark }[],
  ): void {
    if (newest !== null) copyMark(newest, this.newest)
    const by_instant = new Map(asides.map(({ instant, mark }) => [instant, mark]))
    this.#aside = this.#instants.map((instant) => by_instant.get(instant) ?? null)
  }

  get is_empty(): boolean {
    return this.newest.rule === NONE
  }

  /** A mark with a source time before this replaces the newest one and nothing is set aside. */
  nextInstant(): Micros {
    return this.#instants.find((instant) => instant > this.newest.source_at) ?? Number.POSITIVE_INFINITY
  }

  /** Adds a mark; the same observation seen again replaces its entry, with its newest confirmation. */
  remember(mark: IntegerMark): void {
    if (this.#instants.length > 0) this.#setAside(mark.source_at)
    copyMark(mark, this.newest)
  }

  /** The newest mark with a source time before an instant; null where there is none. */
  lastBefore(instant: Micros): IntegerMark | null {
    if (this.is_empty) return null
    return this.newest.source_at < instant ? this.newest : this.#aside[this.#instants.indexOf(instant)]!
  }

  #setAside(source_at: Micros): void {
    if (this.is_empty) return
    this.#instants.forEach((instant, i) => {
      if (this.newest.source_at < instant && source_at >= instant) this.#aside[i] = { ...this.newest }
    })
  }
}

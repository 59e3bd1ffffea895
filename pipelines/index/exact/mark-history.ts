import type { Micros } from '../../../primitives/instants.ts'
import { copyMark, type IntegerMark, noMark } from './quote-mark.ts'
import { NONE } from './units.ts'

/**
 * M1..M6 marks of one outcome that M7 and frozen can still need. M7 needs the newest one. Frozen needs the
 * newest one before an instant; all such instants are known beforehand, so for each of them the last mark before it is
 * set aside when a later one replaces it. Nothing else is kept.
 */
export class MarkHistory {
  readonly newest: IntegerMark = noMark()
  readonly #instants: readonly Micros[]
  #aside: (IntegerMark | null)[]

  /** @param instants every instant that `lastBefore` may be called with, ascending */
  constructor(instants: readonly Micros[]) {
    this.#instants = instants
    this.#aside = instants.map(() => null)
  }

  /** Returns an independent history with the same memory. */
  clone(): MarkHistory {
    const copy = new MarkHistory(this.#instants)
    copyMark(this.newest, copy.newest)
    copy.#aside = [...this.#aside]
    return copy
  }

  /** Returns the marks set aside, with the instant that each precedes. */
  asides(): { readonly instant: Micros; readonly mark: IntegerMark }[] {
    return this.#instants.flatMap((instant, i) => {
      const mark = this.#aside[i]
      return mark === null || mark === undefined ? [] : [{ instant, mark }]
    })
  }

  /** Restores a memory; marks set aside for unknown instants are dropped. */
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

  /** Returns the instant before which a new mark replaces the newest one without setting it aside. */
  nextInstant(): Micros {
    return this.#instants.find((instant) => instant > this.newest.source_at) ?? Number.POSITIVE_INFINITY
  }

  /** Adds a mark; a repeated observation replaces its entry, with its newest confirmation. */
  remember(mark: IntegerMark): void {
    if (this.#instants.length > 0) this.#setAside(mark.source_at)
    copyMark(mark, this.newest)
  }

  /** Returns the newest mark with a source time before an instant; null if there is none. */
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

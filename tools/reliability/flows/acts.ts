import type { Random } from '../../../simulator/world/random.ts'

/** Kinds of acts in rounds: each kind comes once before any comes again, in an order that the seed chooses. */
export class Acts<Kind extends string> {
  readonly #kinds: readonly Kind[]
  readonly #random: Random
  readonly #done: Record<Kind, number>
  readonly #left: Kind[] = []

  constructor(kinds: readonly Kind[], random: Random) {
    this.#kinds = kinds
    this.#random = random
    this.#done = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  }

  /** Does the next act; one that could not be done stays in its round. @param act returns whether it was done */
  async next(act: (kind: Kind) => Promise<boolean>): Promise<void> {
    if (this.#left.length === 0) this.#left.push(...this.#kinds)
    const place = this.#random.below(this.#left.length)
    const kind = this.#left[place]!
    if (!(await act(kind))) return
    this.#left.splice(place, 1)
    this.#done[kind] += 1
  }

  /** Returns how often each kind was done. */
  counts(): Readonly<Record<Kind, number>> {
    return this.#done
  }

  /** Returns sentences about kinds that were never done: a drill without them has shown nothing about them. */
  missing(): string[] {
    return this.#kinds.filter((kind) => this.#done[kind] === 0).map((kind) => `never done: ${kind}`)
  }
}

/** Queue that takes turns between callers: the next item is the oldest of the caller that was served longest ago. */
export class FairQueue<T> {
  /** Items of each caller, oldest first; the caller whose turn is next comes first. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Length of the longest line. */
  get longest(): number {
    return Math.max(0, ...[...this.#lines.values()].map(({ length }) => length))
  }

  lengthOf(caller: string): number {
    return this.#lines.get(caller)?.length ?? 0
  }

  push(caller: string, item: T): void {
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, [item])
    else line.push(item)
    this.#size += 1
  }

  /** Takes the next item of a caller that may be served; undefined: there is none. */
  shift(mayBeServed: (caller: string) => boolean): T | undefined {
    for (const [caller, line] of this.#lines) {
      if (!mayBeServed(caller)) continue
      const item = line.shift()
      this.#lines.delete(caller)
      if (line.length > 0) this.#lines.set(caller, line)
      this.#size -= 1
      return item
    }
    return undefined
  }

  /** Removes an item; false: it is not queued. */
  remove(caller: string, item: T): boolean {
    const line = this.#lines.get(caller)
    const at = line?.indexOf(item) ?? -1
    if (at < 0) return false
    line!.splice(at, 1)
    if (line!.length === 0) this.#lines.delete(caller)
    this.#size -= 1
    return true
  }

  /** Takes the newest item of the longest line, if that is longer than the caller's own would become; undefined: none is. */
  dropFor(caller: string): T | undefined {
    const [longest] = [...this.#lines].toSorted(([, a], [, b]) => b.length - a.length)
    if (longest === undefined || longest[1].length <= this.lengthOf(caller) + 1) return undefined
    const item = longest[1].at(-1)!
    this.remove(longest[0], item)
    return item
  }
}

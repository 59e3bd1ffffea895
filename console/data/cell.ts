/** A value that others may watch: the page's whole state management. */
export type Cell<T> = {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls back after every change; the returned function ends it. */
  readonly watch: (listener: () => void) => () => void
}

/** A cell with its first value; setting the value it has tells nobody. */
export function createCell<T>(initial: T): Cell<T> {
  const listeners = new Set<() => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

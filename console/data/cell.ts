/** Observable value; the page's only state management. */
export type Cell<T> = {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls back after every change; the returned function unsubscribes. */
  readonly watch: (listener: () => void) => () => void
}

/** Creates a cell; setting an equal value notifies nobody. */
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

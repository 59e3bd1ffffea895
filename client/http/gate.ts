/** Lets at most `width` tasks run at once; the others wait in the order in which they came. */
export function createGate(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place goes to the next one without being free in between.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Runs a task in its turn. @throws the signal's reason, at once, if it is aborted before */
export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

type Turn = { readonly begin: () => void; readonly end: (reason: unknown) => void }

/** Runs at most `width` tasks at once; others wait in order of arrival. */
export function createGate(width: number): Gate {
  let running = 0
  const waiting = new Set<Turn>()
  const watch = createWatch(waiting)
  const turnOf = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const turn: Turn = {
        begin: () => {
          watch.remove(signal, turn)
          resolve()
        },
        end: reject,
      }
      waiting.add(turn)
      watch.add(signal, turn)
    })
  return async (task, signal) => {
    if (running >= width) await turnOf(signal)
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next task.
      const [next] = waiting
      if (next === undefined) running -= 1
      else {
        waiting.delete(next)
        next.begin()
      }
    }
  }
}

/** Ends the waiting turns of a signal. Each signal has one listener: Node warns of more than ten, as of a leak. */
function createWatch(waiting: Set<Turn>) {
  const watched = new Map<AbortSignal, { readonly turns: Set<Turn>; readonly abort: () => void }>()
  return {
    add(signal: AbortSignal | undefined, turn: Turn): void {
      if (signal === undefined) return
      const known = watched.get(signal)
      if (known !== undefined) {
        known.turns.add(turn)
        return
      }
      const turns = new Set([turn])
      const abort = () => {
        watched.delete(signal)
        for (const one of turns) {
          waiting.delete(one)
          one.end(signal.reason)
        }
      }
      watched.set(signal, { turns, abort })
      signal.addEventListener('abort', abort, { once: true })
    },
    remove(signal: AbortSignal | undefined, turn: Turn): void {
      const known = signal === undefined ? undefined : watched.get(signal)
      known?.turns.delete(turn)
      if (known?.turns.size !== 0) return
      watched.delete(signal!)
      signal!.removeEventListener('abort', known.abort)
    },
  }
}

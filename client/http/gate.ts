import { abortable } from '../platform.ts'

/** Runs a task in its turn. @throws the signal's reason, at once, if it is aborted before */
export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Runs at most `width` tasks at once; others wait in order of arrival. */
export function createGate(width: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  const turn = (signal: AbortSignal | undefined) =>
    abortable<void>(signal, (resolve, aborted) => {
      waiting.push(resolve)
      aborted(() => waiting.splice(waiting.indexOf(resolve), 1))
    })
  return async (task, signal) => {
    if (running >= width) await turn(signal)
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next task.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

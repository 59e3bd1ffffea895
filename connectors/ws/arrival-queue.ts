/** Items that arrived and were not taken yet, with a limit at which the source must pause. */
export type ArrivalQueue<T> = {
  push(item: T): void
  /** Takes everything that has arrived. */
  take(): T[]
  /** Resolves when something has arrived, or nothing more will. */
  arrived(): Promise<void>
  end(): void
  readonly ended: boolean
}

export type QueueFlow = {
  readonly on_full: () => void
  /** Called when everything was taken. */
  readonly on_drained: () => void
}

/** Creates a queue. @param max items beyond which the source must pause; items already on their way are still accepted */
export function createArrivalQueue<T>(max: number, flow: QueueFlow): ArrivalQueue<T> {
  let waiting: T[] = []
  let full = false
  let ended = false
  let wake: () => void = () => undefined
  let woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  return {
    get ended() {
      return ended
    },
    push(item) {
      if (ended) return
      waiting.push(item)
      wake()
      if (full || waiting.length < max) return
      full = true
      flow.on_full()
    },
    take() {
      const taken = waiting
      waiting = []
      if (!ended) {
        woken = new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (full) {
        full = false
        flow.on_drained()
      }
      return taken
    },
    arrived: () => (waiting.length > 0 ? Promise.resolve() : woken),
    end() {
      ended = true
      wake()
    },
  }
}

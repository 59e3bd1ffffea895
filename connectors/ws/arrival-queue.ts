/** What has arrived and is not taken yet, with a bound at which its source is told to stop. */
export type ArrivalQueue<T> = {
  push(item: T): void
  /** Everything that has arrived. */
  take(): T[]
  /** Resolves when something has arrived, or nothing more will. */
  arrived(): Promise<void>
  end(): void
  readonly ended: boolean
}

export type QueueFlow = {
  readonly on_full: () => void
  /** Everything was taken. */
  readonly on_drained: () => void
}

/** @param max  items beyond which the source is stopped; what it has under way is still taken */
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

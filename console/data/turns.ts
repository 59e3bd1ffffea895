/** Turn-taking of all reads of the page: once the service refuses one, none asks before it may. */
export type Turns = {
  /**
   * Calls `read`, after the wait that an earlier refusal asked for. A refused read is repeated by one reader; all others follow once that
   * one is answered.
   * @param waitOf  milliseconds that an error asks to wait; null: it is no refusal of this kind
   */
  readonly take: <T>(read: () => Promise<T>, waitOf: (error: unknown) => number | null) => Promise<T>
}

/** Refusals after which a read fails. */
const TRIES_MAX = 6

type Gate = { readonly opened: Promise<void>; readonly open: () => void }

/** Creates the turns of readers that share a limit. */
export function createTurns(wait: (millis: number) => Promise<void>): Turns {
  let gate: Gate | null = null
  const opened = async () => {
    while (gate !== null) await gate.opened
  }
  /** Waits and repeats a read for all, and lets the others go on when it ends. */
  const repeat = async <T>(read: () => Promise<T>, waitOf: (error: unknown) => number | null, first_ms: number) => {
    gate = createGate()
    try {
      let millis = first_ms
      for (let tries = 2; ; tries++) {
        await wait(millis)
        try {
          return await read()
        } catch (error) {
          const again_ms = waitOf(error)
          if (again_ms === null || tries === TRIES_MAX) throw error
          millis = again_ms
        }
      }
    } finally {
      const held = gate
      gate = null
      held.open()
    }
  }
  const take: Turns['take'] = async (read, waitOf) => {
    for (let tries = 1; ; tries++) {
      await opened()
      try {
        return await read()
      } catch (error) {
        const millis = waitOf(error)
        if (millis === null || tries === TRIES_MAX) throw error
        // Another reader may already repeat its read; this one was on its way before.
        if (gate === null) return repeat(read, waitOf, millis)
      }
    }
  }
  return { take }
}

function createGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

import type { Fault, Faults } from '../../simulator/server/faults.ts'

/** Faults that a test injects; each is used once, in the order of injection. */
export type ScriptedFaults = Faults & {
  /** Injects a fault into the next answer to a path that begins with `path`. */
  nextAnswer(path: string, fault: Fault): void
  /** Injects a fault into the next message on any connection, after `after` good ones. */
  nextMessage(fault: Fault, after?: number): void
}

/** Creates an empty script of faults. */
export function scriptedFaults(): ScriptedFaults {
  const answers: { readonly path: string; readonly fault: Fault }[] = []
  const messages: { readonly fault: Fault; after: number }[] = []
  return {
    nextAnswer: (path, fault) => void answers.push({ path, fault }),
    nextMessage: (fault, after = 0) => void messages.push({ fault, after }),
    onAnswer(path) {
      const index = answers.findIndex((one) => path.startsWith(one.path))
      return index < 0 ? null : answers.splice(index, 1)[0]!.fault
    },
    onHandshake: () => null,
    onMessage() {
      const [first] = messages
      if (first === undefined) return null
      if (first.after > 0) {
        first.after -= 1
        return null
      }
      return messages.shift()!.fault
    },
  }
}

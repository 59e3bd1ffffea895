/** Notes about waits of long work, for people who see no progress bar: each wait once when it begins, once a minute, and at its end. */
export type OutageNotes = {
  /** Reports what is waited for; null: nothing any more. Called at every look. */
  report(waiting_for: string | null): void
}

const AGAIN_MS = 60_000

/** Creates the notes of one run. @param now milliseconds since 1970 */
export function outageNotes(note: (text: string) => void, now: () => number = Date.now): OutageNotes {
  let waiting: { readonly text: string; readonly since_ms: number } | null = null
  let noted_ms = 0
  return {
    report(text) {
      if (text === null) {
        if (waiting !== null) note(`${waiting.text}: over after ${Math.round((now() - waiting.since_ms) / 1_000)} s`)
        waiting = null
        return
      }
      const is_new = waiting === null || waiting.text !== text
      if (is_new) waiting = { text, since_ms: waiting?.since_ms ?? now() }
      if (!is_new && now() - noted_ms < AGAIN_MS) return
      noted_ms = now()
      note(`${text}; retrying since ${new Date(waiting!.since_ms).toISOString()}`)
    },
  }
}

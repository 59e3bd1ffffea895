import type { LogFacts } from '../primitives/log-line.ts'

/** Cause of a wait of long work. Equal causes are one wait, whatever their texts count. */
export type Waiting = { readonly cause: string; readonly text: string }

/** Notes about the waits of long work, for people who see no progress bar. */
export type OutageNotes = {
  /** Reports what is waited for; null: nothing any more. Called at every look. */
  report(waiting: Waiting | null): void
}

/** Time after which a cause is noted again; each next one is twice as long, up to the greatest. */
const AGAIN_MS = 60_000
const AGAIN_MS_MAX = 3_600_000

/** When a cause was noted and is noted again. */
type Noted = { readonly since_ms: number; readonly at_ms: number; readonly wait_ms: number }

function noteAgain(noted: Noted, at_ms: number): Noted | null {
  if (at_ms - noted.at_ms < noted.wait_ms) return null
  return { ...noted, at_ms, wait_ms: Math.min(2 * noted.wait_ms, AGAIN_MS_MAX) }
}

/** Creates the notes of one run: a line when a cause begins, again at growing intervals, and one when the wait is over. */
export function outageNotes(note: (text: string, is_over: boolean) => void, now: () => number = Date.now): OutageNotes {
  const known = new Map<string, Noted>()
  let begun: { readonly text: string; readonly since_ms: number } | null = null
  return {
    report(waiting) {
      const at_ms = now()
      if (waiting === null) {
        if (begun !== null) note(`${begun.text}: over after ${Math.round((at_ms - begun.since_ms) / 1_000)} s`, true)
        begun = null
        known.clear()
        return
      }
      const { cause, text } = waiting
      begun = { text, since_ms: begun?.since_ms ?? at_ms }
      const noted = known.get(cause)
      const next = noted === undefined ? { since_ms: at_ms, at_ms, wait_ms: AGAIN_MS } : noteAgain(noted, at_ms)
      if (next === null) return
      known.set(cause, next)
      note(`${text}; retrying since ${instant(next.since_ms)}`, false)
    },
  }
}

/** Notes of problems of many sources, each of which may repeat. */
export type ProblemNotes = {
  report(text: string, facts?: LogFacts): void
  /** Notes the problems that have not come back for some time, once each. Called every few seconds. */
  sweep(): void
}

/** Time without a repetition after which a problem is over: longer than any wait between two attempts. */
const QUIET_MS = 150_000

type Problem = Noted & {
  readonly text: string
  readonly facts: LogFacts
  readonly count: number
  readonly last_ms: number
}

/** Creates notes of problems: a line for the first of a kind, again with their count at growing intervals, and one when they end. */
export function problemNotes(
  note: (text: string, facts: LogFacts) => void,
  now: () => number = Date.now,
): ProblemNotes {
  const known = new Map<string, Problem>()
  return {
    report(text, facts = {}) {
      const kind = kindOf(text)
      const at_ms = now()
      const seen = known.get(kind)
      if (seen === undefined) {
        known.set(kind, { text, facts, count: 1, since_ms: at_ms, last_ms: at_ms, at_ms, wait_ms: AGAIN_MS })
        note(text, facts)
        return
      }
      const count = seen.count + 1
      const again = noteAgain(seen, at_ms)
      known.set(kind, { ...seen, ...again, text, facts, count, last_ms: at_ms })
      if (again !== null) note(`${text} (${count} times since ${instant(seen.since_ms)})`, facts)
    },
    sweep() {
      for (const [kind, { text, facts, count, since_ms, last_ms }] of known) {
        if (now() - last_ms < QUIET_MS) continue
        known.delete(kind)
        if (count > 1) note(`over: ${text} (${count} times from ${instant(since_ms)} to ${instant(last_ms)})`, facts)
      }
    },
  }
}

/** Names equal problems: they differ in numbers, and in the workflow that a worker names in brackets. */
function kindOf(text: string): string {
  return text.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/\d+/g, '')
}

function instant(at_ms: number): string {
  return new Date(at_ms).toISOString()
}

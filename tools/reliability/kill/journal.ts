import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Intended request of a client, written before it is sent. */
export type Intent = {
  /** Ordinal within its client, from 1. */
  readonly n: number
  readonly kind: 'place' | 'cancel' | 'amend' | 'quote' | 'protect' | 'reset' | 'switch'
  readonly account_id: string
  readonly path: string
  readonly idempotency_key: string
  /** Client id of the order that it creates; null if it creates none. */
  readonly client_order_id: string | null
  /** Client ids of the orders of its ladder, in their order; empty if it is no mass quote. */
  readonly ladder: readonly string[]
  /** Id of the order that it cancels or replaces. */
  readonly order_id: string | null
}

/** Answer to an intent. `data`: the bytes of that field, null if the answer has none. */
export type JournalAnswer = {
  readonly status: number
  readonly code: string | null
  readonly data: string | null
  readonly replayed: boolean
}

/** Everything of one intent. More than one answer: it was asked again after it was answered. */
export type JournalEntry = Intent & { readonly unknown: number; readonly answers: readonly JournalAnswer[] }

type Line =
  | { readonly at: 'intent'; readonly intent: Intent }
  | { readonly at: 'unknown'; readonly n: number; readonly why: string }
  | { readonly at: 'answer'; readonly n: number; readonly answer: JournalAnswer }

export type Journal = {
  intend(intent: Intent): void
  /** Sent, and nobody knows what became of it. */
  unknown(n: number, why: string): void
  answered(n: number, answer: JournalAnswer): void
  close(): void
}

/** A client's own file, a line for everything that it did. */
export function openJournal(folder: string, client: string): Journal {
  const file = openSync(join(folder, `${client}.ndjson`), 'a')
  const write = (line: Line) => writeSync(file, `${JSON.stringify(line)}\n`)
  return {
    intend: (intent) => write({ at: 'intent', intent }),
    unknown: (n, why) => write({ at: 'unknown', n, why }),
    answered: (n, answer) => write({ at: 'answer', n, answer }),
    close: () => closeSync(file),
  }
}

/** The journals of all clients of a folder. */
export function readJournals(folder: string): readonly JournalEntry[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => readJournal(readFileSync(join(folder, name), 'utf8')))
}

function readJournal(text: string): JournalEntry[] {
  const entries = new Map<number, Intent & { unknown: number; answers: JournalAnswer[] }>()
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const said = JSON.parse(line) as Line
    if (said.at === 'intent') entries.set(said.intent.n, { ...said.intent, unknown: 0, answers: [] })
    else if (said.at === 'unknown') entries.get(said.n)!.unknown += 1
    else entries.get(said.n)!.answers.push(said.answer)
  }
  return [...entries.values()]
}

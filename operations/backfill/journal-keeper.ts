import type { Store } from '../../warehouse/store/store.ts'
import { type BackfillJournal, writeJournal } from './backfill-journal.ts'

/** Interval between two versions of the journal in the store: a killed run has lost the counts of no more than that. */
const KEEP_MS = 1_000

/** Writes the journal of a running backfill to the store at least once a second. */
export class JournalKeeper {
  readonly #store: Store
  readonly #journalNow: () => Omit<BackfillJournal, 'complete'>
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()
  #is_changed = false
  #failure: { readonly reason: unknown } | null = null

  constructor(store: Store, journalNow: () => Omit<BackfillJournal, 'complete'>) {
    this.#store = store
    this.#journalNow = journalNow
    this.#timer = setInterval(() => this.#beat(), KEEP_MS).unref()
  }

  /** Has the journal written within a second. */
  note(): void {
    this.#is_changed = true
  }

  /** @throws why an earlier journal could not be written */
  requireWritten(): void {
    if (this.#failure !== null) throw this.#failure.reason
  }

  /** Writes the last journal of the run. */
  async end(complete: boolean): Promise<void> {
    clearInterval(this.#timer)
    await this.#write(complete)
  }

  #beat(): void {
    if (!this.#is_changed) return
    this.#is_changed = false
    this.#write(false).catch((reason: unknown) => {
      this.#failure = { reason }
    })
  }

  /** One at a time: each replaces the file. */
  #write(complete: boolean): Promise<void> {
    const written = this.#writing.then(() => writeJournal(this.#store, { ...this.#journalNow(), complete }))
    this.#writing = written.catch(() => undefined)
    return written
  }
}

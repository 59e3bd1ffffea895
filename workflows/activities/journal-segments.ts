import { randomUUID } from 'node:crypto'
import type { Store, StoreKey } from '../../warehouse/store/store.ts'

/** Size from which a writer begins another segment: each write replaces a whole one. */
const SEGMENT_CHARS_MAX = 200_000

/** Reads the lines of all segments: those of one writer in their order, of several in any. */
export async function readSegments(store: Store, folder: StoreKey): Promise<string> {
  const keys: StoreKey[] = []
  for await (const { key } of store.list(folder)) keys.push(key)
  const texts = await Promise.all(keys.sort().map((key) => store.get(key)))
  return texts.map((text) => text ?? '').join('')
}

/**
 * Lines of one process in a journal that several write. A store cannot append, so a process has segments of its own, and replaces the
 * last one while it grows. Lines that come while one is written are written together.
 */
export class SegmentWriter {
  readonly #store: Store
  readonly #folder: StoreKey
  readonly #name = randomUUID()
  #segments = 0
  #text = ''
  #written: Promise<void> = Promise.resolve()
  /** Write that has not begun, which takes further lines; null: none. */
  #next: Promise<void> | null = null

  constructor(store: Store, folder: StoreKey) {
    this.#store = store
    this.#folder = folder
  }

  /** Adds a line. Resolves when it is in the store; a line that could not be written is written with the next one. */
  add(line: string): Promise<void> {
    this.#text += `${line}\n`
    if (this.#next === null) {
      this.#next = this.#written.then(() => this.#write())
      this.#written = this.#next.catch(() => undefined)
    }
    return this.#next
  }

  async #write(): Promise<void> {
    this.#next = null
    const text = this.#text
    const ordinal = String(this.#segments).padStart(6, '0')
    await this.#store.replace(`${this.#folder}/${this.#name}-${ordinal}.ndjson`, Buffer.from(text))
    if (text.length < SEGMENT_CHARS_MAX) return
    this.#segments += 1
    this.#text = this.#text.slice(text.length)
  }
}

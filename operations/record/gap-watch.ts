import type { VenueStream } from '../../connectors/ws/venue-stream.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { RecordedGap } from './recording-journal.ts'

type OpenGap = { readonly from: Micros; readonly reason: string }

const FIRST_READ = 'first'

/** Notes in a journal from when to when part of a venue is not recorded. */
export class GapWatch {
  readonly #now: () => Micros
  readonly #write: (gap: RecordedGap) => void
  readonly #open = new Map<string, OpenGap>()
  #streams: readonly VenueStream[] = []
  /** Whether the first read of the connection is complete, after which streams are expected. */
  #is_read = false
  /** State of the streams when they were last looked at. */
  #were_open = false
  #reconnections = 0
  #checked_at: Micros
  #gaps = 0

  /** @param until receipt of the last payload of an earlier run; null: this one is the first */
  constructor(now: () => Micros, until: Micros | null, write: (gap: RecordedGap) => void) {
    this.#now = now
    this.#write = write
    this.#checked_at = now()
    if (until !== null) this.#begin('recorder', until, 'the recorder did not run')
  }

  /** Gaps noted so far. */
  get gaps(): number {
    return this.#gaps
  }

  /** Notes a new connection; between two of them the streams are closed. */
  opened(streams: readonly VenueStream[]): void {
    if (this.#were_open) this.#begin('streams', this.#now(), 'a new session began')
    this.#streams = streams
    this.#is_read = false
    this.#were_open = false
    this.#reconnections = 0
  }

  failed(reading: string, reason: string): void {
    this.#begin(nameOf(reading), this.#now(), reason)
  }

  read(reading: string): void {
    if (reading === FIRST_READ) this.#is_read = true
    this.#end(nameOf(reading))
  }

  /** Looks at the streams; called about once a second. Every connection of a stream after its first follows a gap. */
  check(): void {
    const before = this.#checked_at
    this.#checked_at = this.#now()
    const reconnections = this.#streams.reduce((sum, { connections }) => sum + Math.max(0, connections - 1), 0)
    const are_open = this.#is_read && this.#streams.every(({ state }) => state === 'open')
    const is_cut = this.#were_open && !are_open
    if (is_cut || reconnections > this.#reconnections) this.#begin('streams', before, this.#why())
    this.#reconnections = reconnections
    if (!are_open) return
    this.#were_open = true
    this.#end('streams')
    this.#end('recorder')
  }

  #why(): string {
    return this.#streams.find(({ last_end }) => last_end !== null)?.last_end ?? 'the stream is not open'
  }

  #begin(missing: string, from: Micros, reason: string): void {
    if (this.#open.has(missing)) return
    this.#open.set(missing, { from, reason })
    this.#gaps += 1
    this.#write({ missing, from: formatMicros(from), to: null, reason })
  }

  #end(missing: string): void {
    const gap = this.#open.get(missing)
    if (gap === undefined) return
    this.#open.delete(missing)
    this.#write({ missing, from: formatMicros(gap.from), to: formatMicros(this.#now()), reason: gap.reason })
  }
}

function nameOf(reading: string): string {
  return reading === FIRST_READ ? 'the read at the start' : reading
}

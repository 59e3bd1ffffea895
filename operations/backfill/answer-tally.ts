import type { VenuePayload, VenueRecords } from '../../pipelines/venues/record.ts'
import { ServiceError } from '../../primitives/errors.ts'

/** Answers of a venue for one part of its past. */
export type Answers = {
  /** Documents that were requested and exist. */
  readonly expected: number
  /** Documents of which an answer could be read. */
  readonly read: number
  /** Requests without a readable answer, the first UNREADABLE_NAMED_MAX. */
  readonly unreadable: readonly string[]
}

/** Counts of a part that decide whether it is complete. */
export type PartCounts = {
  readonly answers: Answers
  readonly records_read: number
  readonly records_quarantined: number
}

const UNREADABLE_NAMED_MAX = 3
/** Share of quarantined records from which answers count as unreadable: one in this number. */
const QUARANTINED_ONE_IN = 10

/** Counts answers by the address that was asked: a document that was cut is requested again, and one readable answer is enough. */
export class AnswerTally {
  readonly #readable = new Map<string, boolean>()

  /** Counts one answer with the records read from it. An answer of another form is quarantined as a whole, at `$`. */
  add({ file }: VenuePayload, { quarantine = [] }: VenueRecords): void {
    this.#note(file, !quarantine.some(({ path }) => path === '$'))
  }

  /** Counts an answer whose bytes could not be kept. @param file the address that was asked, as for an answer that was kept */
  addUnkept(file: string): void {
    this.#note(file, false)
  }

  answers(): Answers {
    const unreadable = [...this.#readable].filter(([, is_readable]) => !is_readable).map(([request]) => request)
    const expected = this.#readable.size
    return { expected, read: expected - unreadable.length, unreadable: unreadable.slice(0, UNREADABLE_NAMED_MAX) }
  }

  #note(key: string, is_readable: boolean): void {
    this.#readable.set(key, is_readable || this.#readable.get(key) === true)
  }
}

/** Says what a part lacks; null if it is complete. Pure. */
export function lackOf({ answers, records_read, records_quarantined }: PartCounts): string | null {
  const { expected, read, unreadable } = answers
  if (read < expected) {
    return `${expected - read} of ${expected} answers could not be read: ${unreadable.join(', ')}`
  }
  if (records_quarantined * QUARANTINED_ONE_IN < records_read || records_quarantined === 0) return null
  return `${records_quarantined} of ${records_read} records could not be read`
}

/** Makes the error of an incomplete part. What could be read is stored; repeating the part completes it. */
export function incompleteError(venue_id: string, lack: string): ServiceError {
  return new ServiceError('BACKFILL_CHUNK_INCOMPLETE', `${venue_id}: ${lack}; allowed: readable answers`, { venue_id })
}

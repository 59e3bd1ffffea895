import type { Micros } from '../../../primitives/instants.ts'

/** One payload as a file holds it. `received_at` null: the recording does not state it. */
export type Recorded = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros | null
  /** The payload exactly as it came. */
  readonly text: string
  /** Subject of the payload, if it decides the receipt. */
  readonly about?: string
}

/** A file whose first receipt is known. */
export type TimedFile = { readonly name: string; readonly first_received_at: Micros }

/**
 * A form in which files hold payloads. `read` throws `Quarantined` for text of another form.
 *   lines     one payload per line, in the order of receipt
 *   document  the file is one payload, or an envelope around one
 */
export type PayloadForm = LineForm | DocumentForm

export type LineForm = {
  readonly kind: 'lines'
  /** By the file's name without `.gz`. */
  readonly matches: (name: string) => boolean
  readonly read: (line: string) => Recorded
}

export type DocumentForm = {
  readonly kind: 'document'
  readonly matches: (name: string) => boolean
  readonly read: (text: string) => Recorded
  /** Derives the receipt of a recording that does not state it from the files beside it; null if it cannot be known. */
  readonly untimed?: (recorded: Recorded, beside: readonly TimedFile[]) => Micros | null
}

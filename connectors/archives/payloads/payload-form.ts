import type { Micros } from '../../../primitives/instants.ts'

/** One payload as a file holds it. `received_at` null: the recording does not say when it was made. */
export type Recorded = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros | null
  /** The payload exactly as it came. */
  readonly text: string
  /** What the payload is about, where that decides when it was received. */
  readonly about?: string
}

/** A file whose first receipt is known. */
export type TimedFile = { readonly name: string; readonly first_received_at: Micros }

/**
 * A form in which files hold payloads. `read` throws `Quarantined` for what is not of the form.
 *   lines     one payload a line, in the order of their receipt
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
  /** When a recording that does not say so was received, by the files beside it; null: that cannot be told. */
  readonly untimed?: (recorded: Recorded, beside: readonly TimedFile[]) => Micros | null
}

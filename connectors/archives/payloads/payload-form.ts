import type { Refusal } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'

/** One payload as a file holds it. `received_at` null: the recording does not state it. */
export type Recorded = {
  readonly venue_id: string
  readonly endpoint: string
  readonly request: string | null
  readonly received_at: Micros | null
  /** True: it was received then or later, like an answer about the past, which says only how far it reaches. */
  readonly is_earliest?: boolean
  /** The payload exactly as it came. */
  readonly text: string
}

/** A file whose first receipt is known. */
export type TimedFile = { readonly name: string; readonly first_received_at: Micros }

/**
 * A form in which files hold payloads. `read` throws `Quarantined` for text of another form.
 *   lines     one payload per line, in the order of receipt
 *   document  the file is one payload, an envelope around one, or a list of them
 */
export type PayloadForm = LineForm | DocumentForm

export type LineForm = {
  readonly kind: 'lines'
  /** The form in words. */
  readonly name: string
  /**
   * @param previous receipt of the line before, which a line without a time of its own came with or after
   * @param name the file's, which may name the market
   */
  readonly read: (line: string, previous: Micros | null, name: string) => Recorded
}

export type DocumentForm = {
  readonly kind: 'document'
  /** The form in words. */
  readonly name: string
  /** @returns one payload, or one entry per element of a list of payloads: the payload, or why it is none */
  readonly read: (text: string, name: string) => Recorded | readonly (Recorded | Refusal)[]
  /** Derives the receipt of a recording that does not state it from the files beside it; null if it cannot be known. */
  readonly untimed: (recorded: Recorded, beside: readonly TimedFile[]) => Micros | null
}

import type { Micros } from '../../../primitives/instants.ts'
import type { Recorded, TimedFile } from './payload-form.ts'

/** Features by which an answer or message of a venue is known, if its recorder does not name it. */
export type Recogniser = {
  readonly venue_id: string
  /** Endpoints of the venue's reader, by which a recorded request is named. */
  readonly endpoints: readonly string[]
  /** Returns the endpoint of an answer or message of this shape; null: not one of the venue's. */
  readonly endpointOf: (value: unknown) => string | null
  /**
   * Returns the latest past instant that a payload states, where this is about when it was sent: it cannot have been received
   * earlier. null if it states none.
   */
  readonly clockOf: (text: string, endpoint: string) => Micros | null
  /** Whether a list of a file is one payload per element, as of a stream; else a list is one answer. */
  readonly isStream: (endpoint: string) => boolean
  /** Builds the request of an answer that names its market nowhere else; null if the endpoint needs none. */
  readonly requestOf?: (endpoint: string, market: string) => string | null
  /** Finds such a market in a file's name; null if it names none. */
  readonly marketInName?: (name: string) => string | null
  /** Derives the receipt of a payload that states none from the files beside it. Left out: the latest of them. */
  readonly untimed?: (recorded: Recorded, beside: readonly TimedFile[]) => Micros | null
  /** Reads a feed that is XML. Left out: the venue has none. @throws Quarantined UNKNOWN_SHAPE */
  readonly readFeed?: (text: string) => Recorded
  /** Reads a recording in an envelope of its own; null if it is in none. @throws Quarantined */
  readonly enveloped?: (value: unknown, text: string) => Recorded | null
}

/** Returns the latest of the instants that a pattern finds in a text; its first group is the instant. */
export function latestOf(text: string, pattern: RegExp, read: (instant: string) => Micros | null): Micros | null {
  let latest: Micros | null = null
  for (const [, instant] of text.matchAll(pattern)) {
    const micros = read(instant!)
    if (micros !== null && (latest === null || micros > latest)) latest = micros
  }
  return latest
}

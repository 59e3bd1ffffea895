import type { Micros } from '../../../primitives/instants.ts'
import { isJsonObject } from './json-document.ts'
import type { Recorded, TimedFile } from './payload-form.ts'

/** A shape by which an answer or message is known, if its recorder does not name it. */
export type Shape = {
  readonly endpoint: string
  /** Its features, in words. */
  readonly known_by: string
  /** Test of a parsed JSON value, or of the text of an XML document. */
  readonly is: (value: unknown) => boolean
}

/** Features by which the answers and messages of a venue are known. */
export type Recogniser = {
  readonly venue_id: string
  /** Endpoints of the venue's reader, by which a recorded request is named. */
  readonly endpoints: readonly string[]
  /** The first of these that a value has is its endpoint. */
  readonly shapes: readonly Shape[]
  /** Time that counts as the receipt of a payload whose recording states none, in words. */
  readonly receipt: string
  /**
   * Returns the latest past instant that a payload states, where this is about when it was sent: it cannot have been received
   * earlier. null if it states none.
   */
  readonly clockOf: (text: string, endpoint: string) => Micros | null
  /** Whether that instant is only the earliest possible receipt. A file of its own is then received after the files beside it. */
  readonly isAboutPast?: (endpoint: string) => boolean
  /** Whether a list of a file is one payload per element, as of a stream; else a list is one answer. */
  readonly isStream: (endpoint: string) => boolean
  /** Builds the request of an answer that names its market nowhere else; null if the endpoint needs none. */
  readonly requestOf?: (endpoint: string, market: string) => string | null
  /** Finds such a market in a file's name; null if it names none. */
  readonly marketInName?: (name: string) => string | null
  /** Derives the receipt of a payload that states none from the files beside it. Left out: the latest of them. */
  readonly untimed?: (recorded: Recorded, beside: readonly TimedFile[]) => Micros | null
  /** Reads a recording in an envelope of its own; null if it is in none. @throws Quarantined */
  readonly enveloped?: (value: unknown, text: string) => Recorded | null
}

/** Returns the endpoint of an answer or message of this shape; null: not one of the venue's. */
export function endpointOfShape({ shapes }: Pick<Recogniser, 'shapes'>, value: unknown): string | null {
  return shapes.find(({ is }) => is(value))?.endpoint ?? null
}

type JsonFields = Readonly<Record<string, unknown>>

/** Test of an object by its fields. */
export function object(test: (value: JsonFields) => boolean): Shape['is'] {
  return (value) => isJsonObject(value) && test(value)
}

/** Test of a list by its first element. */
export function listOf(test: Shape['is']): Shape['is'] {
  return (value) => Array.isArray(value) && test(value[0])
}

/** Test of one value, or of a list by its first element. */
export function oneOrList(test: Shape['is']): Shape['is'] {
  return either(test, listOf(test))
}

/** Test of a value that passes at least one of the tests. */
export function either(...tests: readonly Shape['is'][]): Shape['is'] {
  return (value) => tests.some((test) => test(value))
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

/**
 * Reasons a record of an archive was rejected. Such a record is counted and listed with file, line and reason, never guessed
 * and never stored. docs/archives.md has one row per reason; test/pipelines/venues/quarantine.test.ts compares both ways.
 */
export const QUARANTINE_REASONS = {
  BAD_ENCODING: 'the line or document is not UTF-8: convert it, as with iconv -f LATIN1 -t UTF-8',
  LINE_TOO_LONG: 'the line is longer than 1 MiB, or the payload longer than 64 MiB',
  BAD_QUOTES: 'a quoted field does not end on its line, or text follows its closing quote',
  WRONG_COLUMN_COUNT: 'the row has more or fewer fields than the header',
  BAD_JSON: 'the line is not one JSON object, or the payload is not JSON: get it again, or leave it out',
  MISSING_FIELD: 'a required field is absent, empty, or 0 where that stands for none',
  BAD_TEXT: 'a text field holds something other than text, or is too long',
  BAD_ID: 'an id holds control characters, surrounding blanks or more than 512 characters',
  BAD_DATE: 'a date or instant does not exist, or is not in the form that the field requires',
  AMBIGUOUS_TIME: 'a local time that its zone shows twice, in the hour that repeats in autumn',
  BAD_VALUE:
    'a number is not a decimal text with a point, such as 0.45, has more digits than the field holds, or is no possible value of it',
  VALUE_OUT_OF_RANGE:
    'a price, probability or payout lies outside [0, 1], odds outside [1.01, 1000], a quantity is negative, or a trade has none',
  BAD_FLAG: 'a field with a closed list of words holds another word',
  UNKNOWN_MARKET: 'the archive does not describe this market: import its description with it',
  UNKNOWN_OUTCOME: 'the outcome or token belongs to no market that is described: import the description with it',
  PAYOUTS_NOT_ONE: 'the payouts of a final resolution do not sum to 1',
  UNKNOWN_SHAPE:
    'the payload has none of the forms of its endpoint, which the page on archives lists under "Accepted endpoints"',
  OTHER_VENUE: 'the payload is of another venue: import it as that venue, or the folder as `payloads`',
  ERROR_ANSWER: 'the venue answered with an error and no data: request it again',
  WEB_PAGE: 'a web page (HTML), as servers send for an error or a login: request the data again',
  NO_RECEIPT:
    'no receive time, in the payload or around it: name the file after it (`…_20260117T000005Z.json`), or wrap the payload as `{"received_at": "2026-01-17T00:00:05Z", "body": …}`',
  PACKED_FILE: 'the file is packed (zip, tar, zstd, xz, 7z): unpack it and import the folder',
  TABLE_FILE:
    'the file is a table (CSV, Parquet, SQLite, Arrow, Excel): describe its columns in a mapping and import it with `quotes --mapping FILE`',
  FIELDS_DISAGREE: 'two fields of one record state different values for the same thing',
  BOOK_MISMATCH: 'the book rebuilt from changes differs from the best prices that the venue states with them',
  SEQUENCE_GAP: 'messages are missing before this one, so the book is unknown until the next whole one',
  NO_BASE_BOOK: 'a change of a book whose whole state is unknown',
  SOURCE_AFTER_RECEIVED: 'the record was received before the instant that it is about',
  RECEIVED_IN_FUTURE: 'the record was received in the future',
  CONFLICTING_VALUE: 'another value for the same key at the same instant is on an earlier line or in the warehouse',
} as const satisfies Record<string, string>

export type QuarantineReason = keyof typeof QUARANTINE_REASONS

/** One rejected record. */
export type QuarantineItem = {
  /** File name inside the archive's folder. */
  readonly file: string
  /** Line in the uncompressed file, from 1; the header is line 1. */
  readonly line: number
  /** Path in a JSON or XML document, instead of a line. */
  readonly path?: string
} & Refusal

/** Reason a record is quarantined. */
export type Refusal = {
  readonly reason: QuarantineReason
  /** The record and the next step in one sentence; left out where the meaning of the reason says it. */
  readonly advice?: string
}

/** Result of parsing one record: the record, or the reason it is quarantined. */
export type Parsed<T> = { readonly record: T } | Refusal

/** Thrown by the field readers of `fields.ts` and caught by `parseRecord`; it never leaves a parser. */
export class Quarantined {
  readonly refusal: Refusal

  constructor(reason: QuarantineReason, advice?: string) {
    this.refusal = advice === undefined ? { reason } : { reason, advice }
  }
}

/** Returns the refusal of a record that lacks a required field. */
export function missingField(field: string): Quarantined {
  return new Quarantined(
    'MISSING_FIELD',
    `${field} is required, and it is absent, empty, or 0 where that stands for none`,
  )
}

/** Returns what was refused and what to do, in one sentence. */
export function adviceOn({ reason, advice }: Refusal): string {
  return advice ?? QUARANTINE_REASONS[reason]
}

/** Runs a parser whose field readers throw `Quarantined`. Any other error is a bug and is rethrown. */
export function parseRecord<T>(read: () => T): Parsed<T> {
  try {
    return { record: read() }
  } catch (error) {
    if (error instanceof Quarantined) return error.refusal
    throw error
  }
}

import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { ENTRY_BYTES_MAX } from './entry-bundle.ts'
import { proofInvalid } from './proof-invalid.ts'
import { parseProofJson } from './proof-json.ts'

/** First member of every entry, so that an entry cannot be mistaken for a text of another protocol. */
const STATEMENT = 'tidemark.log/v1'

/**
 * Entry of the log about one published record. `row_sha256` covers the record text, which `form` names. `record` is the record itself,
 * if it is logged in full and fits.
 */
export type LogEntry = {
  readonly statement: typeof STATEMENT
  readonly form: string
  readonly kind: string
  readonly record_id: string
  readonly published_at: string
  readonly row_sha256: string
  readonly record?: Readonly<Record<string, unknown>>
}

/** Record to log: its text is the RFC 8785 form of the resource as its detail endpoint serves it. */
export type LoggedRecord = Pick<LogEntry, 'form' | 'kind' | 'record_id' | 'published_at'> & {
  readonly record_text: string
  /** Whether the entry repeats the record itself. */
  readonly in_full?: boolean
}

/** Returns the bytes of the entry of a record. A record logged in full that is too long is logged by its hash alone. */
export function entryBytes({ record_text, in_full = false, ...named }: LoggedRecord): Uint8Array {
  const head = { statement: STATEMENT, ...named, row_sha256: sha256Hex(record_text) }
  const whole = in_full ? Buffer.from(canonicalJson({ ...head, record: JSON.parse(record_text) as unknown })) : null
  return whole !== null && whole.length <= ENTRY_BYTES_MAX ? whole : Buffer.from(canonicalJson(head))
}

const TEXTS = ['form', 'kind', 'record_id', 'published_at', 'row_sha256'] as const

/** Parses an entry, and checks that its own record has the hash that it states. @throws {ServiceError} PROOF_INVALID */
export function parseEntry(bytes: Uint8Array): LogEntry {
  const text = Buffer.from(bytes).toString('utf8')
  const entry = parseJson(text)
  const is_entry =
    isObject(entry) && entry.statement === STATEMENT && TEXTS.every((name) => typeof entry[name] === 'string')
  if (!is_entry || canonicalJson(entry) !== text) {
    // The RFC 8785 form has no doubled key; this names one.
    parseProofJson(text, 'entry')
    throw proofInvalid('entry', text, `an RFC 8785 object with statement ${STATEMENT}, ${TEXTS.join(', ')}`)
  }
  const { record, row_sha256 } = entry
  if (record !== undefined && (!isObject(record) || sha256Hex(canonicalJson(record)) !== row_sha256)) {
    throw proofInvalid('row_sha256', String(row_sha256), 'the SHA-256 of the record in the entry')
  }
  return entry as unknown as LogEntry
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

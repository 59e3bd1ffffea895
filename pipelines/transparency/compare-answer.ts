import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { FIELDS_KNOWN_AT } from '../../vocabulary/known-at.ts'
import { proofInvalid } from './proof-invalid.ts'

const KNOWN_AT: Readonly<Record<string, readonly string[]>> = FIELDS_KNOWN_AT

/** Fields that the logged form of a kind lacks, and that the signed text in the record proves. */
const IN_SIGNED_TEXT: Readonly<Record<string, readonly string[]>> = { policy: ['drift_after'] }

/** Fields of an answer that its record does not prove. */
export type Comparison = {
  /** They say what was known as of the instant. Equal ones count too: the record says what was true when it was published. */
  readonly known_at: readonly string[]
  /** The record does not have them: they are newer than its form, or were embedded on request. */
  readonly added: readonly string[]
}

/**
 * Compares an answer with its record: each field that both have is equal, nested ones too.
 * @throws {ServiceError} PROOF_INVALID names the first field that differs
 */
export function compareAnswer(answer: unknown, record: unknown, kind: string): Comparison {
  const data = isObject(answer) ? answer : {}
  const text = isObject(record) ? { ...inSignedText(record, kind), ...record } : {}
  if (!Object.keys(data).some((field) => field in text))
    throw proofInvalid(
      'data of the answer',
      { json: canonicalJson(answer ?? null) },
      'an object with fields of its record',
    )
  const known_at = (KNOWN_AT[kind] ?? []).filter((field) => field in data)
  const added: string[] = []
  for (const field of Object.keys(data)) if (!known_at.includes(field)) compareValue(field, data[field], text, added)
  return { known_at, added }
}

/** Returns the fields that the signed text of a record proves; one that it does not state is missing, so it has no value. */
function inSignedText({ signed_content }: Readonly<Record<string, unknown>>, kind: string) {
  const fields = IN_SIGNED_TEXT[kind]
  if (fields === undefined || typeof signed_content !== 'string') return {}
  try {
    const signed: unknown = JSON.parse(signed_content)
    return isObject(signed) ? Object.fromEntries(fields.map((field) => [field, signed[field] ?? null])) : {}
  } catch {
    return {}
  }
}

/** Compares the items of a list with a record that has the whole list: each is the item of the record at its place. */
export function compareParts(items: readonly unknown[], record: unknown, kind: string): Comparison {
  const whole = Array.isArray(record) ? (record as readonly unknown[]) : []
  const first = whole.findIndex((item) => sharesId(items[0], item))
  const compared = items.map((item, n) => compareAnswer(item, whole[first + n], kind))
  if (items.length > 0 && (first < 0 || first + items.length > whole.length)) {
    throw proofInvalid('items of the answer', String(items.length), `at most ${whole.length}, those of the record`)
  }
  return { known_at: [], added: compared.flatMap(({ added }) => added) }
}

function sharesId(a: unknown, b: unknown): boolean {
  return isObject(a) && isObject(b) && sameJson(a.constituent_id, b.constituent_id)
}

function compareValue(path: string, value: unknown, of: Readonly<Record<string, unknown>>, added: string[]): void {
  const field = path.slice(path.lastIndexOf('.') + 1)
  if (!(field in of)) {
    added.push(path)
    return
  }
  compareNested(path, value, of[field], added)
}

function compareNested(path: string, value: unknown, expected: unknown, added: string[]): void {
  if (isObject(value) && isObject(expected)) {
    const gone = Object.keys(expected).find((field) => !(field in value))
    if (gone !== undefined) throw differs(`${path}.${gone}`, undefined, expected[gone])
    for (const [field, nested] of Object.entries(value)) compareValue(`${path}.${field}`, nested, expected, added)
    return
  }
  if (Array.isArray(value) && Array.isArray(expected) && value.length === expected.length) {
    for (const [n, item] of value.entries()) compareNested(path, item, expected[n], added)
    return
  }
  if (!sameJson(value, expected)) throw differs(path, value, expected)
}

function differs(path: string, value: unknown, expected: unknown) {
  const seen = typeof value === 'string' ? value : { json: canonicalJson(value ?? null) }
  return proofInvalid(`${path} of the answer`, seen, canonicalJson(expected ?? null))
}

function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null)
}

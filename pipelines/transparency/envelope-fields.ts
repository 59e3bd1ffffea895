import { isObject } from '../../primitives/canonical-json.ts'

const PLACED = ['entry', 'index', 'hashes']
const RECORD = [...PLACED, 'record_text']

/** Fields around the data of a saved answer that its receipt proves, or is made of, by the object that has them. */
const PROVEN = {
  meta: ['as_of', 'receipt'],
  page: [],
  'meta.receipt': ['kind', 'kinds', 'sealed_through', 'seal', 'record', 'records', 'checkpoint'],
  'meta.receipt.seal': PLACED,
  'meta.receipt.record': RECORD,
  'meta.receipt.records': RECORD,
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Fields of the contract that say something of the answer itself; a test compares them with the contract. */
export const UNLOGGED = {
  meta: [
    ...['request_id', 'published_at', 'schema_version', 'max_age_ms', 'correction_chain'],
    ...['stale', 'stale_since', 'stream_cursor'],
  ],
  page: ['next_cursor', 'has_more'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Fields around the data that nothing proves, as paths. */
type EnvelopeFields = {
  /** Fields of the contract. */
  readonly unlogged: readonly string[]
  /** Fields that this release does not know. */
  readonly unknown: readonly string[]
}

/** Returns the fields of a saved answer beside its data that its receipt does not prove. */
export function envelopeFields(answer: unknown): EnvelopeFields {
  const { meta, page, data: _compared, ...others } = isObject(answer) ? answer : {}
  const unlogged: string[] = []
  const unknown = Object.keys(others)
  const look = (path: keyof typeof PROVEN, value: unknown) => {
    const proven: readonly string[] = PROVEN[path]
    const stated: readonly string[] = path === 'meta' || path === 'page' ? UNLOGGED[path] : []
    for (const field of isObject(value) ? Object.keys(value) : []) {
      if (stated.includes(field)) unlogged.push(`${path}.${field}`)
      else if (!proven.includes(field)) unknown.push(`${path}.${field}`)
    }
  }
  const receipt = isObject(meta) && isObject(meta.receipt) ? meta.receipt : {}
  look('meta', meta)
  look('page', page)
  look('meta.receipt', receipt)
  look('meta.receipt.seal', receipt.seal)
  look('meta.receipt.record', receipt.record)
  for (const record of Array.isArray(receipt.records) ? receipt.records : []) look('meta.receipt.records', record)
  return { unlogged: [...new Set(unlogged)].sort(), unknown: [...new Set(unknown)].sort() }
}

import { LINK_FIELDS } from '../../vocabulary/index-level.ts'
import type { Facts } from './compare-shown.ts'

/**
 * Served fields that `verify everything` cannot check from outside, by record; docs/log.md prints this list, and a test alters every
 * other field. Of records that only name others, the id alone counts.
 */
export const UNCHECKED_FIELDS = {
  index: [
    ...['slug', 'symbol', 'name', 'description', 'family', 'status', 'unit', 'base_value', 'base_date'],
    ...['active_version_id', 'tags', 'simulated', 'created_at', 'updated_at'],
  ],
  index_version: LINK_FIELDS,
  index_observation: ['reason_codes'],
  level_quote: ['revision', 'received_at', 'published_at'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Fields that the logged form of a record lacks, with the only value that they can have. */
const BESIDE_FORM: Readonly<Record<string, Facts>> = {
  index_version: { governance: 'none', proposal_id: null, announced_at: null, effective_at: null },
  complaint: { proposal_id: null },
  notice: { draft: null, draft_sha256: null },
}

/** Fields whose value is an object with any names; each name inside must be in the logged record. */
const OPEN_FIELDS = ['definition', 'parameters']

/** Result for fields that a record is served with, and was not logged with. */
export type Beside = {
  /** First field with a value that it cannot have; null: none. */
  readonly false_field: string | null
  /** Fields that this release does not know. */
  readonly unknown: readonly string[]
}

/** Judges the fields of a served record that its logged text does not have. */
export function judgeBeside(kind: string, record: Facts, added: readonly string[]): Beside {
  const known = BESIDE_FORM[kind] ?? {}
  const isOpen = (path: string) => OPEN_FIELDS.some((field) => path.startsWith(`${field}.`))
  const differs = (field: string) => (record[field] ?? null) !== known[field]
  return {
    false_field: added.find((path) => isOpen(path) || (path in known && differs(path))) ?? null,
    unknown: added.filter((path) => !(path in known || isOpen(path))),
  }
}

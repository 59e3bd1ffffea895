import { canonicalJson } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { canonicalInstant, type Instant } from '../../primitives/instants.ts'

/**
 * Fields of an index observation covered by its record hash, named as in the table. Decimals are strings at their
 * published scales: trailing zeros are part of the hash.
 */
type HashedObservation = {
  readonly calculated_at: Instant | null
  readonly calculation_run_id: string
  readonly confidence: string
  readonly coverage_ratio: string
  readonly index_id: string
  readonly index_version_id: string
  readonly input_observation_ids: readonly string[]
  readonly level: string | null
  readonly methodology_id: string
  readonly methodology_version: string
  readonly missing_constituent_ids: readonly string[]
  readonly observation_id: string
  readonly quality_state: string
  readonly revision: number
  readonly source_cutoff_at: Instant | null
  readonly supersedes_id: string | null
  readonly unit: string
}

/** A row of index_observation: it may have more columns and omit nulls. */
export type ObservationRow = { readonly [F in keyof HashedObservation]?: HashedObservation[F] | undefined }

/**
 * Returns the RFC 8785 form of the hashed fields of an observation. Columns added at commit (published_at, row_ordinal) are
 * excluded, so the hash is known before the row is readable and a reader can recompute it from the row.
 * Instants are hashed in their canonical text, null and missing as null.
 */
export function recordJson(row: ObservationRow): string {
  return canonicalJson({
    calculated_at: instant(row.calculated_at),
    calculation_run_id: row.calculation_run_id ?? null,
    confidence: row.confidence ?? null,
    coverage_ratio: row.coverage_ratio ?? null,
    index_id: row.index_id ?? null,
    index_version_id: row.index_version_id ?? null,
    input_observation_ids: row.input_observation_ids ?? [],
    level: row.level ?? null,
    methodology_id: row.methodology_id ?? null,
    methodology_version: row.methodology_version ?? null,
    missing_constituent_ids: row.missing_constituent_ids ?? [],
    observation_id: row.observation_id ?? null,
    quality_state: row.quality_state ?? null,
    revision: row.revision ?? null,
    source_cutoff_at: instant(row.source_cutoff_at),
    supersedes_id: row.supersedes_id ?? null,
    unit: row.unit ?? null,
  })
}

/** Returns the SHA-256 of `recordJson` as lower-case hex: the column record_hash. */
export function recordHash(row: ObservationRow): string {
  return sha256Hex(recordJson(row))
}

function instant(text: Instant | null | undefined): Instant | null {
  return text === null || text === undefined ? null : canonicalInstant(text, 'instant of an observation')
}

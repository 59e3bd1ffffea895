import type { Row } from '../../warehouse/schema.ts'
import { documentUri, textUri } from './methodology-links.ts'
import { fieldsOf, rowOrNull, rowsOf, textsOf } from './pick.ts'

/** Fields that every committee record shares. */

const EVIDENCE_FIELDS = [
  'evidence_id',
  'kind',
  'source_uri',
  'observed_at',
  'content_hash',
  'component',
  'tier',
] as const
const OVERRIDE_FIELDS = [
  'override_id',
  'authority',
  'reason_code',
  'narrative',
  'previous_value',
  'proposed_value',
  'starts_at',
  'expires_at',
] as const
const DISPUTE_FIELDS = ['dispute_id', 'state', 'filer', 'basis', 'decision', 'filed_at', 'decided_at'] as const

/** Returns the reasons and methodology of a record. @param measured whether evidence includes the text that its hash covers */
export function reasonedOf(row: Row, measured: boolean) {
  return {
    confidence: row.confidence ?? null,
    reason_codes: textsOf(row.reason_codes),
    rationale: row.rationale ?? null,
    ...fieldsOf(row, ['methodology_id', 'methodology_version']),
    issuer: structOf(row.issuer, ['kind', 'issuer_id', 'model_version']),
    evidence: rowsOf(row.evidence).map((item) => ({
      ...fieldsOf(item, EVIDENCE_FIELDS),
      ...(measured ? { measured: item.measured ?? null } : {}),
    })),
  }
}

/** Returns the period in force and the review of a record. */
export function reviewedOf(row: Row) {
  return {
    ...fieldsOf(row, ['effective_from', 'effective_to', 'published_at', 'review_state']),
    override: structOf(row.override, OVERRIDE_FIELDS),
    dispute: structOf(row.dispute, DISPUTE_FIELDS),
    withdrawal: structOf(row.withdrawal, ['withdrawn_by', 'reason', 'withdrawn_at']),
  }
}

/** Returns a struct with exactly these fields; null if there is none. */
export function structOf<F extends string>(value: Row[string], fields: readonly F[]) {
  const row = rowOrNull(value)
  return row === null ? null : fieldsOf(row, fields)
}

/** Returns the common fields of an assessment_methodology row, with `parameters` parsed. */
export function methodologyPartsOf(row: Row) {
  const parameters = JSON.parse(String(row.parameters)) as Readonly<Record<string, string>>
  return {
    head: fieldsOf(row, ['methodology_id', 'version', 'status', 'name']),
    parameters,
    document: {
      document_uri: documentUri(row),
      ...fieldsOf(row, ['content_hash', 'published_at', 'supersedes_version']),
      parameters,
      ...fieldsOf(row, ['text_sha256', 'document']),
      text_uri: textUri(row),
    },
  }
}

/** Returns the parameters below a name: `thresholds.MR1` below `thresholds` is MR1. */
export function parametersBelow(parameters: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const prefix = `${name}.`
  const below = Object.entries(parameters).filter(([one]) => one.startsWith(prefix))
  return Object.fromEntries(below.map(([one, value]) => [one.slice(prefix.length), value]))
}

import type { TableName } from '../tables.ts'

/** Contradiction found in the warehouse. */
export type AuditViolation = {
  readonly table: TableName
  readonly rule: string
  /** Key of the damaged or contradicting file; null for a record. */
  readonly file: string | null
  /** Id of the record; null for a file. */
  readonly id: string | null
  readonly detail: string
  /** The whole violation in one sentence. */
  readonly message: string
}

/** Numbers of checks and failures of one check on one table. */
export type AuditCheck = {
  readonly table: TableName
  readonly check: string
  readonly checked: number
  readonly violations: number
}

/** Builds a violation with its sentence. */
export function violation(fields: Omit<AuditViolation, 'message'>): AuditViolation {
  const { table, rule, file, id, detail } = fields
  const subject = file ?? (id === null ? table : `${table} ${id}`)
  return { ...fields, message: `${subject}: ${detail} (${rule})` }
}

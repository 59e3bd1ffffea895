import type { TableName } from '../tables.ts'

/** One place where the warehouse is not what it says it is. */
export type AuditViolation = {
  readonly table: TableName
  readonly rule: string
  /** Key of the damaged or contradicting file; null when a record is meant. */
  readonly file: string | null
  /** The record; null when a file is meant. */
  readonly id: string | null
  readonly detail: string
  /** All of it in one sentence. */
  readonly message: string
}

/** How often one check was made on one table, and how often it failed. */
export type AuditCheck = {
  readonly table: TableName
  readonly check: string
  readonly checked: number
  readonly violations: number
}

/** Builds a violation with its sentence. */
export function violation(fields: Omit<AuditViolation, 'message'>): AuditViolation {
  const { table, rule, file, id, detail } = fields
  const place = file ?? (id === null ? table : `${table} ${id}`)
  return { ...fields, message: `${place}: ${detail} (${rule})` }
}

import { readSql } from '../sql/read-sql.ts'

/** Parts of a query for the assessments in force, each as SQL. */
export type InForceParts = {
  readonly columns: string
  /** Relation with the newest revision of every chain, as known at the instant. */
  readonly heads: string
  /** Columns that name what is assessed. */
  readonly subject: string
  /** The instant: a literal, or a column of the heads. */
  readonly at: string
}

/** Returns the query for the assessment of each subject in force; pipelines/review/current-assessment.ts is the rule in memory. */
export function inForceSql({ columns, heads, subject, at }: InForceParts): string {
  return readSql(import.meta.url, 'sql/assessment_in_force.sql', { columns, heads, subject, at })
}

import type { Submission } from '../engine/submission.ts'
import { refuse } from '../market/refuse.ts'
import type { OperatorKeyRow } from '../projections/rows.ts'
import type { Pool } from '../store/create-pool.ts'
import { readSql } from '../store/read-sql.ts'

/**
 * Refuses a database whose operators are of another environment than the engine's, which decides what one person may do.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function requireOwnDatabase(pool: Pool, environment: string): Promise<void> {
  const [root] = (await pool.query<OperatorKeyRow>(readSql('find_operator_keys'))).rows
  if (root === undefined || root.environment === environment) return
  refuse('TIDEMARK_ENVIRONMENT', environment, `${root.environment}, that of the operators of this database`)
}

/**
 * Refuses an operator's key of another environment: the first key decides the environment of a database for good.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseForeignKey(submission: Submission, environment: string): void {
  if (submission.kind !== 'operate' || submission.command.kind !== 'register_operator_key') return
  const given = submission.command.environment
  if (given !== environment) refuse('TIDEMARK_ENVIRONMENT', given, `${environment}, that of the running engine`)
}

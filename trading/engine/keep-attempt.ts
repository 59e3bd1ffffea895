import type { AttemptRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'

/** Records the present state of an attempt. */
export function keepAttempt({ changes }: Execution, facts: Facts, attempt: AttemptRow): void {
  facts.attempts.set(attempt.attempt_id, attempt)
  changes.attempts.set(attempt.attempt_id, attempt)
}

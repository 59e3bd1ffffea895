import { refusedValue } from '../../primitives/errors.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'

type Resource = Parameters<typeof missing>[0]

/**
 * Returns a record that a request names below its parent. One of another parent does not exist there.
 * @param parent  column of the record that names its parent, and the parent's id
 * @throws {ServiceError} the not-found code of the resource
 */
export function childOf(
  row: Row | null,
  parent: Readonly<Record<string, unknown>>,
  resource: Resource,
  id: string,
): Row {
  const belongs = row !== null && Object.entries(parent).every(([column, value]) => row[column] === value)
  if (belongs) return row
  throw missing(resource, id)
}

/**
 * Returns an outcome of a market that a request names.
 * @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND: it belongs to another market, or to none
 */
export function outcomeOf<O extends { readonly outcome_id?: unknown; readonly label?: unknown }>(
  outcomes: readonly O[],
  outcome_id: string,
): O {
  const outcome = outcomes.find((candidate) => candidate.outcome_id === outcome_id)
  if (outcome !== undefined) return outcome
  const named = outcomes.map(({ outcome_id: id, label }) => (label == null ? `${id}` : `${id} (${label})`))
  const allowed = `one of ${named.join(', ')}`
  throw refusedValue('MARKET_OUTCOME_NOT_FOUND', 'outcome_id', outcome_id, allowed)
}

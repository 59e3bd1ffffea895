import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import { costOfRows, EXPORTS } from '../../protocol/limits.ts'
import { receiptCost } from './check-receipt.ts'
import type { ParameterValues } from './read-parameters.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

type Costed = Pick<Endpoint, 'cost' | 'expanded'>

/**
 * Returns the tokens of a public request. The page bound is checked first: a wait would not help a page that is too long.
 * @param one_page false: a table of every record, which pays page by page
 * @throws {RequestRefusal} VALIDATION_PARAMETER_INVALID
 */
export function requestCost({ cost, expanded }: Costed, values: ParameterValues, one_page: boolean): number {
  const limit = Number(values.limit ?? 0)
  const rows = one_page ? limit : EXPORTS.page_rows
  const is_expanded = ((values.expand as readonly string[] | undefined) ?? []).length > 0
  if (expanded !== undefined && is_expanded) requirePage(one_page ? limit : null, expanded.page_max)
  const per_token = is_expanded ? expanded?.per_token : undefined
  const of_expanded = per_token === undefined ? 0 : Math.ceil(limit / per_token)
  return costOfRows(cost, rows) + (values.receipt === true ? receiptCost(limit) : 0) + of_expanded
}

/** @param rows null: a table without a limit, which would have every record */
function requirePage(rows: number | null, page_max: number): void {
  if (rows !== null && rows <= page_max) return
  const sizes = `1 to ${page_max}`
  const rule = rows === null ? `is needed for a table with expand; allowed: ${sizes}` : `allowed with expand: ${sizes}`
  throw new RequestRefusal([
    violation('VALIDATION_PARAMETER_INVALID', 'limit', rows === null ? null : String(rows), rule),
  ])
}

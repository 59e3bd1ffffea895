import { RECEIPTS } from '../../protocol/limits.ts'
import type { ParameterValues } from './read-parameters.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

/**
 * Checks a request for a receipt: it is of a JSON answer as of an instant, and of few records.
 * @throws {RequestRefusal} VALIDATION_PARAMETER_MISSING, VALIDATION_PARAMETER_INVALID
 */
export function checkReceipt({ as_of, limit }: ParameterValues, is_json: boolean): void {
  if (as_of === undefined) {
    throw new RequestRefusal([
      violation('VALIDATION_PARAMETER_MISSING', 'as_of', null, 'is required with receipt=true'),
    ])
  }
  if (!is_json) throw invalid('receipt', 'true', 'only JSON answers have a receipt')
  const { records_max } = RECEIPTS
  if (Number(limit ?? 0) > records_max)
    throw invalid('limit', String(limit), `allowed with receipt=true: 1 to ${records_max}`)
}

/** Returns the tokens that a receipt adds to the cost of a page. */
export function receiptCost(limit: number): number {
  return Math.ceil(limit / RECEIPTS.records_per_token)
}

function invalid(field: string, value: string, rule: string): RequestRefusal {
  return new RequestRefusal([violation('VALIDATION_PARAMETER_INVALID', field, value, rule)])
}

import { requirePlainTexts } from './plain-texts.ts'
import { checkReasonCode } from './reason-code.ts'

/**
 * Refuses what a new act of review may not state. Acts of earlier releases are derived again without it, because they could.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function checkNewAct({ act, details }: { readonly act: string; readonly details: object }): void {
  requirePlainTexts(details, 'details')
  const { reason_code } = details as { readonly reason_code?: unknown }
  if (act === 'override') checkReasonCode(String(reason_code))
}

import { notAllowed } from '../../primitives/errors.ts'

const REASON_CODE = /^[A-Z][A-Z0-9_]{1,39}$/

/** Form of a reason code in words. */
export const REASON_CODES = '2 to 40 capital letters, digits and underscores, a letter first'

/** Reports whether a text has the form of the reason codes of emergencies and overrides. */
export function isReasonCode(text: string): boolean {
  return REASON_CODE.test(text)
}

/** Refuses another form in a new act; earlier releases accepted any text. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function checkReasonCode(text: string): void {
  if (!isReasonCode(text))
    throw notAllowed(
      'VALIDATION_DEFINITION_INVALID',
      'reason_code',
      JSON.stringify(text),
      `${REASON_CODES}, such as NEWS`,
    )
}

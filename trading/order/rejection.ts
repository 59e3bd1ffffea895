import type { REJECTIONS } from '../../protocol/endpoints/trading-shared.ts'

/**
 * Codes with which stages 5 to 8 refuse an order, or a command on one: those of placing, and those of replacing and canceling.
 */
type RejectionCode =
  | (typeof REJECTIONS)[number]
  | 'ORDER_FOK_NOT_FILLABLE'
  | 'ORDER_AMEND_NOT_ALLOWED'
  | 'ORDER_NOT_CANCELABLE'
  | 'ORDER_VERSION_CONFLICT'

export type Rejection = { readonly code: RejectionCode; readonly message: string }

/** Whether a result is a rejection. */
export function isRejection(value: object | number): value is Rejection {
  return typeof value === 'object' && (value as Partial<Rejection>).code !== undefined
}

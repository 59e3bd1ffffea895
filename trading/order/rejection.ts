import type { REJECTIONS } from '../../protocol/endpoints/trading-shared.ts'

/** Why stages 5 to 8 refuse an order, or a command on one: what placing answers with, and what replacing and canceling add. */
type RejectionCode =
  | (typeof REJECTIONS)[number]
  | 'ORDER_FOK_NOT_FILLABLE'
  | 'ORDER_AMEND_NOT_ALLOWED'
  | 'ORDER_NOT_CANCELABLE'
  | 'ORDER_VERSION_CONFLICT'

export type Rejection = { readonly code: RejectionCode; readonly message: string }

/** Tells a rejection from what was asked for. */
export function isRejection(value: object | number): value is Rejection {
  return typeof value === 'object' && (value as Partial<Rejection>).code !== undefined
}

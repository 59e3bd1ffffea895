import type { ErrorCode } from '../../../primitives/error-codes.ts'
import type { WireRequest } from '../wire-request.ts'
import type { Target } from './capture.ts'

/** One kind of attack: what is sent, and how it must be answered. */
export type Attack = {
  /** REPLAYED: the answer that was given before, and nothing new. */
  readonly expected: ErrorCode | 'REPLAYED'
  readonly make: (target: Target) => Promise<WireRequest> | WireRequest
}

export type Attacks = Readonly<Record<string, Attack>>

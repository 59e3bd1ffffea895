import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { ErrorFacts } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import type { EngineStatus } from './engine-client.ts'

/** Messages to the engine: the lease's token first, then submissions numbered by the caller. */
export type ToEngine =
  | { readonly kind: 'hello'; readonly token: string }
  | { readonly kind: 'submit'; readonly id: number; readonly submission: Submission }

/**
 * Messages from the engine: answers under the caller's numbers, in order of completion; its status after the greeting and every
 * second.
 */
export type FromEngine =
  | { readonly kind: 'status'; readonly status: EngineStatus }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | {
      readonly kind: 'error'
      readonly id: number
      readonly code: ErrorCode
      readonly message: string
      readonly facts: ErrorFacts
    }

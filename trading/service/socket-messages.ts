import type { ErrorCode, ErrorFacts } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import type { EngineStatus } from './engine-client.ts'

/** First the token of the lease, then submissions under numbers of the caller's. */
export type ToEngine =
  | { readonly kind: 'hello'; readonly token: string }
  | { readonly kind: 'submit'; readonly id: number; readonly submission: Submission }

/** Answers under the caller's numbers, in the order in which they come about; the status after the greeting and every second. */
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

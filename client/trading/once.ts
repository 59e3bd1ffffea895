import type { Call } from '../http/call.ts'

/** Options of one write. */
export type Once = Call & {
  /** Repeating the key returns the same answer, or a refusal if the body differs; default: random. */
  readonly idempotency_key?: string
}

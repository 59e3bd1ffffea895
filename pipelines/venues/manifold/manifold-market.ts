import type { Micros } from '../../../primitives/instants.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { PayloadOrigin } from '../read-payload.ts'

/** A market as one response states it. */
export type ManifoldMarket = {
  readonly origin: PayloadOrigin
  readonly id: string
  readonly fields: JsonTextObject
  /** Answers of a market with several; empty if the market has one probability. */
  readonly answers: readonly ManifoldAnswer[]
  readonly is_resolved: boolean
  /** null if it is not resolved, or the venue does not state when. */
  readonly resolved_at: Micros | null
  readonly received_at: Micros
}

export type ManifoldAnswer = { readonly id: string; readonly fields: JsonTextObject }

import type { Micros } from '../../../primitives/instants.ts'
import { optionalText } from '../../text/json-fields.ts'
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

/** Facts that a reader keeps from payload to payload, by market. */
export type ManifoldMemory = {
  /** Time of the last final resolution. */
  readonly finals: Map<string, Micros>
  /** Independent answers that were resolved when the market was described last. */
  readonly ended_answers: Map<string, ReadonlySet<string>>
}

/** Returns whether each answer is a contract of its own, which resolves by itself. */
export function isIndependent({ fields, answers }: ManifoldMarket): boolean {
  return answers.length > 0 && fields.shouldAnswersSumToOne === false
}

/** Returns what an independent answer resolved to: YES, NO, MKT or CANCEL; null if it is not resolved. */
export function resolutionOfAnswer({ fields }: ManifoldAnswer): string | null {
  return optionalText(fields, 'resolution')
}

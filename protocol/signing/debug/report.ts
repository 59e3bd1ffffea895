import type { Finding } from './causes.ts'
import { type Departure, departure } from './departure.ts'

/** Line of the signed text, or field of the typed message. */
export type CheckedLine = {
  readonly name: string
  /** Value as the service makes it from what was sent. */
  readonly expected: string
  /** Value as the caller signed it; null: not told. */
  readonly signed: string | null
  /** First byte in which both differ; null: equal, or not told. */
  readonly departs: Departure | null
  /** Word that is hashed (EIP-712); null: a line of text. */
  readonly word: string | null
}

/** `valid` and `refused` as the service would decide; `undecided` where that needs a secret, a clock or a chain. */
type Verdict = 'valid' | 'refused' | 'undecided'

/** One signature, explained. */
export type ExplainedSignature = {
  readonly kind: 'request' | 'order' | 'authorization'
  /** Such as `order 2 of 3`. */
  readonly name: string
  readonly verdict: Verdict
  /** Code of the refusal as the service answers it; null: none. */
  readonly code: string | null
  readonly lines: readonly CheckedLine[]
  /** Text that must be signed, for requests. */
  readonly signed_text: string | null
  /** Hashes and addresses by name. */
  readonly facts: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  /** Next step where something is undecided. */
  readonly next: string | null
}

/** Creates a line. */
export function checkedLine(
  name: string,
  expected: string,
  signed: string | null,
  word: string | null = null,
): CheckedLine {
  return { name, expected, signed, departs: signed === null ? null : departure(expected, signed), word }
}

import type { TSchema } from 'typebox'
import { INSTANT_ALLOWED } from '../../primitives/instants.ts'
import { SecondInstant } from '../../protocol/requests/order-request.ts'
import { Instant } from '../../protocol/scalars.ts'

/** Sentences in place of patterns that nobody reads; several schemas have the pattern of an instant. */
const SENTENCES: ReadonlyMap<string | undefined, string> = new Map([
  [(Instant as SchemaFacts).pattern, INSTANT_ALLOWED],
  [
    (SecondInstant as SchemaFacts).pattern,
    'an instant in UTC of whole seconds, after 1970, such as 2026-01-17T00:00:00Z',
  ],
])

/** Describes the values that a parameter's schema accepts, as the end of a sentence that starts with "allowed:". */
export function describeAllowed(schema: TSchema): string {
  const rule = schema as SchemaFacts
  const sentence = SENTENCES.get(rule.pattern)
  if (sentence !== undefined) return sentence
  if (rule.enum !== undefined) return rule.enum.join(', ')
  if (rule.type === 'boolean') return 'true, false'
  if (rule.type === 'integer') return `an integer from ${rule.minimum} to ${rule.maximum}`
  if (rule.type === 'array') {
    const most = rule.maxItems === undefined ? '' : `, at most ${rule.maxItems} of them`
    return `a comma-separated list of ${describeAllowed(rule.items!)}, each at most once${most}`
  }
  const { pattern, minLength = 0, maxLength, examples } = rule
  const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`
  if (pattern === undefined) return `text${length}`
  const such = examples === undefined ? '' : `, such as ${examples[0]}`
  return `text${length} that matches ${pattern}${such}`
}

type SchemaFacts = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly examples?: readonly string[]
  readonly items?: TSchema
}

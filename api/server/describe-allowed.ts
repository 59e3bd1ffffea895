import type { TSchema } from 'typebox'
import { Instant } from '../../protocol/scalars.ts'

/** Describes the values that a parameter's schema accepts, as the end of a sentence that starts with "allowed:". */
export function describeAllowed(schema: TSchema): string {
  const rule = schema as SchemaFacts
  if (schema === Instant)
    return 'an RFC 3339 instant in UTC such as 2026-01-17T00:00:00Z, a real date of the years 1700 to 2199'
  if (rule.enum !== undefined) return rule.enum.join(', ')
  if (rule.type === 'boolean') return 'true, false'
  if (rule.type === 'integer') return `an integer from ${rule.minimum} to ${rule.maximum}`
  if (rule.type === 'array') {
    const most = rule.maxItems === undefined ? '' : `, at most ${rule.maxItems} of them`
    return `a comma-separated list of ${describeAllowed(rule.items!)}, each at most once${most}`
  }
  const { pattern, minLength = 0, maxLength } = rule
  const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`
  return pattern === undefined ? `text${length}` : `text${length} that matches ${pattern}`
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
  readonly items?: TSchema
}

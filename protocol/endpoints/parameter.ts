import Type, { type TSchema } from 'typebox'
import { CURSOR_LENGTH_MAX, PAGE_SIZE } from '../limits.ts'
import { Instant } from '../scalars.ts'

/** Reading of a query parameter's text before its schema is checked; nothing else is coerced. */
export type ParameterKind = 'text' | 'integer' | 'boolean' | 'list'

/** One query parameter. `list` is comma-separated, each item once. */
export type Parameter = {
  readonly kind: ParameterKind
  readonly schema: TSchema
  readonly description: string
  readonly required?: true
}
export type Parameters = Readonly<Record<string, Parameter>>

export const text = (schema: TSchema, description: string): Parameter => ({ kind: 'text', schema, description })
export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true })

export const instant = (description: string): Parameter => text(Instant, description)

export const oneOf = (values: readonly string[], description: string): Parameter =>
  text(Type.Enum([...values] as [string, ...string[]]), description)

export const flag = (description: string): Parameter => ({ kind: 'boolean', schema: Type.Boolean(), description })

export const listOf = (values: readonly string[], description: string): Parameter => ({
  kind: 'list',
  schema: Type.Array(Type.Enum([...values] as [string, ...string[]]), { minItems: 1, uniqueItems: true }),
  description,
})

export const integer = (minimum: number, maximum: number, fallback: number, description: string): Parameter => ({
  kind: 'integer',
  schema: Type.Integer({ minimum, maximum, default: fallback }),
  description,
})

export const AS_OF = {
  as_of: instant('answer as known at this instant (inclusive bound of published_at); default: now'),
} as const satisfies Parameters

/** An answer as of an instant that can be checked years later. */
export const RECEIPT = {
  ...AS_OF,
  receipt: flag(
    'true, with as_of: meta.receipt proves that the records are in the log, and that nothing earlier can come',
  ),
} as const satisfies Parameters

export const PAGING = {
  cursor: text(
    Type.String({ minLength: 1, maxLength: CURSOR_LENGTH_MAX, pattern: '^[A-Za-z0-9_.-]+$' }),
    'next_cursor of the previous page, with the same filters',
  ),
  limit: integer(
    1,
    PAGE_SIZE.max,
    PAGE_SIZE.default,
    'most records per page; a page may have fewer while has_more is true',
  ),
} as const satisfies Parameters

export const RANGE = {
  start_time: instant('first instant of the range, inclusive'),
  end_time: instant('end of the range, exclusive'),
} as const satisfies Parameters

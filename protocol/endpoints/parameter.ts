import Type, { type TArray, type TBoolean, type TInteger, type TSchema, type TUnsafe } from 'typebox'
import { CURSOR_LENGTH_MAX, PAGE_SIZE } from '../limits.ts'
import { Instant, texts } from '../scalars.ts'

/** Reading of a query parameter's text before its schema is checked; nothing else is coerced. */
export type ParameterKind = 'text' | 'integer' | 'boolean' | 'list'

/** One query parameter. `list` is comma-separated, each item once. */
export type Parameter<Schema extends TSchema = TSchema> = {
  readonly kind: ParameterKind
  readonly schema: Schema
  readonly description: string
  readonly required?: true
}
export type Parameters = Readonly<Record<string, Parameter>>

export const text = <Schema extends TSchema>(schema: Schema, description: string): Parameter<Schema> => ({
  kind: 'text',
  schema,
  description,
})
export const required = <Schema extends TSchema>(
  parameter: Parameter<Schema>,
): Parameter<Schema> & { readonly required: true } => ({ ...parameter, required: true })

export const instant = (description: string) => text(Instant, description)

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  text(texts(values), description)

export const flag = (description: string): Parameter<TBoolean> => ({
  kind: 'boolean',
  schema: Type.Boolean(),
  description,
})

export const listOf = <const Values extends readonly string[]>(
  values: Values,
  description: string,
): Parameter<TArray<TUnsafe<Values[number]>>> => ({
  kind: 'list',
  schema: Type.Array(texts(values), { minItems: 1, uniqueItems: true }),
  description,
})

export const integer = (
  minimum: number,
  maximum: number,
  fallback: number,
  description: string,
): Parameter<TInteger> => ({
  kind: 'integer',
  schema: Type.Integer({ minimum, maximum, default: fallback }),
  description,
})

/** A version or revision, counted from 1; what is left out is the newest, and 0 is refused. */
export const ordinal = (description: string): Parameter<TInteger> => ({
  kind: 'integer',
  schema: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
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

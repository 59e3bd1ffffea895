import Type, { type TSchema } from 'typebox'
import { idPattern } from '../primitives/id-form.ts'

/** Scalars of requests and responses: every value is a JSON string, integer or boolean, never a floating-point number. */

/** Object with the listed fields and no others. */
export const closed = { additionalProperties: false } as const

export const Text = Type.String()

/** Id in a response. */
export const Id = Type.String({ pattern: idPattern('[a-z]+'), description: 'an opaque id' })

/** Id of one kind in a path or filter; of several kinds if the prefix is `(a|b)`. */
export const idOf = (prefix: string, description: string) =>
  Type.String({
    pattern: idPattern(prefix),
    description,
    examples: [`${prefix.replace(/^\(([a-z]+)\|.*$/, '$1')}_example`],
  })

const INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$'
export const Instant = Type.String({
  pattern: INSTANT_PATTERN,
  description: 'RFC 3339 instant in UTC, at most microseconds',
  examples: ['2026-01-17T00:00:00Z'],
})

/** Instant with a meaning of its own. */
export const instantOf = (description: string) => Type.String({ pattern: INSTANT_PATTERN, description })

export const Decimal = Type.String({
  pattern: '^-?(0|[1-9]\\d*)(\\.\\d+)?$',
  description: 'base-10 decimal, as a string to avoid rounding',
  examples: ['38.9250'],
})

/** A price or probability of a market. */
export const Price = Type.String({
  pattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
  description: 'decimal in [0, 1]',
  examples: ['0.625000000'],
})

export const Quantity = Type.String({ pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$', description: 'non-negative decimal' })

export const Duration = Type.String({ pattern: '^P', description: 'ISO 8601 duration', examples: ['PT1M'] })

/** Integer that every JSON reader represents exactly. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Sequence = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'ordinal in one sequence; a larger one is later, gaps have no meaning',
})
export const EpochMillis = Type.Integer({
  minimum: -(2 ** 43),
  maximum: 2 ** 43,
  description: 'milliseconds since 1970-01-01T00:00:00Z',
})

/** One line of text without characters that move a cursor, separate lines or turn the order of what follows. */
export const PLAIN_LINE = '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]*$'

/** A value that may be unavailable or not applicable; never written as zero. */
export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const texts = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>(Type.Enum([...values], description === undefined ? {} : { description }))

/** Fields that append-only records share. */
export const appendOnly = {
  revision: Type.Integer({ minimum: 1, description: 'ordinal in the correction chain, from 1' }),
  supersedes_id: orNull(Id),
  correction_reason: orNull(Text),
} as const

/** JSON schema of an answer, as far as the contract uses it. */
export type AnswerSchema = {
  readonly type?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnswerSchema[]
  readonly items?: AnswerSchema
  readonly properties?: Readonly<Record<string, AnswerSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}
type Fields = Readonly<Record<string, AnswerSchema>>

export const textLike = (pattern: string): AnswerSchema => ({ type: 'string', pattern })
export const oneOf = (...values: readonly unknown[]): AnswerSchema => ({ enum: values })
export const orNull = (schema: AnswerSchema): AnswerSchema => ({ anyOf: [schema, { type: 'null' }] })
export const listOf = (items: AnswerSchema): AnswerSchema => ({ type: 'array', items })

/** Object with these fields, perhaps the optional ones, and no others. */
export const record = (required: Fields, optional: Fields = {}): AnswerSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
})

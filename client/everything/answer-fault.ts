import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Errors } from 'typebox/value'
import { formFault } from '../../pipelines/evidence/read-form.ts'
import { isObject } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import type { AnswerSchema } from '../contract/answer-schema.ts'
import { ANSWERS } from '../contract/answers.ts'
import type { Query } from '../http/query.ts'

/** Public read as the contract describes it. */
export type Route = {
  /** Path below /v1 with {parameters}. */
  readonly path: string
  readonly schema: AnswerSchema
  /** Values of the parameters by name. */
  readonly named: Readonly<Record<string, string>>
}

/** Fault of a record: `is_unknown`, a field that the contract does not have, is the only one. */
export type AnswerFault = { readonly message: string; readonly is_unknown: boolean }

const ROUTES = Object.entries(ANSWERS).map(([path, [schema]]) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return { path, schema, names, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }
})

/** Returns the read that a path below /v1 is of. */
export function routeOf(asked: string): Route {
  const [below] = asked.split('?')
  for (const { path, schema, names, pattern } of ROUTES) {
    const values = pattern.exec(below!)?.slice(1)
    if (values === undefined) continue
    const named = Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(values[n]!)]))
    return { path, schema, named }
  }
  invariant(false, `the contract of the verifier has ${below}`)
}

/** Parameters of a query that every record of the answer repeats. */
const REPEATED = ['outcome', 'outcome_id', 'policy_id', 'event_id', 'version']

/** Returns the values that each record of an answer has to repeat: those that were asked for. */
export function askedValues({ named }: Route, query: Query): Readonly<Record<string, string>> {
  const repeated = REPEATED.filter((name) => query[name] !== undefined && query[name] !== null)
  return { ...named, ...Object.fromEntries(repeated.map((name) => [name, String(query[name])])) }
}

/** Compares a record with its schema, and with the names that were asked for; null: it is as the contract says. */
export function answerFault(
  { schema }: Route,
  record: unknown,
  asked: Readonly<Record<string, string>>,
): AnswerFault | null {
  if (!validatorOf(schema).Check(record)) {
    const type = schema as TSchema
    const is_unknown = Errors(type, record).every(isUnknownField)
    const message = formFault(type, record) ?? 'it is not as the contract says'
    return { message: message.replace(/^the form /, 'it '), is_unknown }
  }
  if (!isObject(record)) return null
  const name = Object.keys(asked).find((one) => one in record && String(record[one]) !== asked[one])
  if (name === undefined) return null
  return { message: `${name} is ${String(record[name])}; ${asked[name]} was asked for`, is_unknown: false }
}

/** An unknown field breaks the schema `false` of other fields, and then its object and each choice that the object is in. */
const OF_UNKNOWN = ['boolean', 'additionalProperties', 'anyOf']

function isUnknownField({ keyword, params }: ReturnType<typeof Errors>[number]): boolean {
  return OF_UNKNOWN.includes(keyword) || (keyword === 'type' && 'type' in params && params.type === 'null')
}

/** Compiled schemas: every record of an answer is compared with one. */
const VALIDATORS = new Map<AnswerSchema, Validator>()

function validatorOf(schema: AnswerSchema): Validator {
  const known = VALIDATORS.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema as TSchema) as unknown as Validator
  VALIDATORS.set(schema, validator)
  return validator
}

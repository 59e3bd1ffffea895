import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject } from '../../primitives/canonical-json.ts'
import { FAULTS_MAX } from '../../protocol/limits.ts'
import { describeAllowed } from './describe-allowed.ts'
import { echoValue } from './echo-value.ts'
import { type Violation, violation } from './request-refusal.ts'

const CODE = 'VALIDATION_BODY_INVALID'
/**
 * Returns the violations of a body's schema, in schema order; unknown fields after the known ones of their object. The search ends
 * at the first FAULTS_MAX, so that its work does not grow with the number of faults.
 */
export function bodyFaults(schema: TSchema, value: unknown): readonly Violation[] {
  const found: Violation[] = []
  for (const one of faultsOf(schema as Shape, value, '')) if (found.push(one) === FAULTS_MAX) break
  return found
}

/** Schema keywords that bodies use. */
type Shape = TSchema & {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly const?: unknown
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
}

function* faultsOf(schema: Shape, value: unknown, path: string): Generator<Violation> {
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (schema.anyOf !== undefined) {
    if (value === null && choices.length < schema.anyOf.length) return
    if (choices.length === 1) yield* faultsOf(choices[0]!, value, path)
    else if (!choices.some((choice) => faultsOf(choice, value, path).next().done === true))
      yield fault(schema, value, path)
    return
  }
  if (schema.properties !== undefined) yield* faultsOfObject(schema, value, path)
  else if (schema.patternProperties !== undefined) yield* faultsOfRecord(schema, value, path)
  else if (schema.items !== undefined) yield* faultsOfList(schema, value, path)
  else if (!checks(schema, value)) yield fault(schema, value, path)
}

function* faultsOfObject(schema: Shape, value: unknown, path: string): Generator<Violation> {
  if (!isObject(value)) {
    yield fault(schema, value, path)
    return
  }
  const properties = schema.properties!
  if (Object.keys(value).length < (schema.minProperties ?? 0))
    yield violation(
      CODE,
      named(path),
      null,
      `has no field; allowed: at least one of ${Object.keys(properties).join(', ')}`,
    )
  for (const [name, field] of Object.entries(properties)) {
    const place = within(path, name)
    if (Object.hasOwn(value, name)) yield* faultsOf(field, value[name], place)
    else if (schema.required?.includes(name))
      yield violation(CODE, place, null, `is required; allowed: ${allowed(field)}`)
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue
    const rule = `is not a field of this object; allowed: ${Object.keys(properties).join(', ')}`
    yield violation(CODE, within(path, name), null, rule)
  }
}

function* faultsOfRecord(schema: Shape, value: unknown, path: string): Generator<Violation> {
  const [[pattern, item] = ['', schema]] = Object.entries(schema.patternProperties!)
  if (!isObject(value) || Object.keys(value).length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    yield fault(schema, value, path)
    return
  }
  const name_rule = new RegExp(pattern)
  for (const [name, field] of Object.entries(value)) {
    if (name_rule.test(name)) yield* faultsOf(item, field, within(path, name))
    else
      yield violation(CODE, within(path, name), null, `is not an allowed name; allowed: a name that matches ${pattern}`)
  }
}

function* faultsOfList(schema: Shape, value: unknown, path: string): Generator<Violation> {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (!Array.isArray(value)) {
    yield fault(schema, value, path)
    return
  }
  if (value.length < minItems || value.length > maxItems) {
    yield violation(CODE, named(path), `${value.length} items`, `allowed: ${minItems} to ${maxItems} items`)
    return
  }
  let has_faults = false
  for (const [place, item] of value.entries()) {
    for (const one of faultsOf(items!, item, `${path}[${place}]`)) {
      has_faults = true
      yield one
    }
  }
  if (has_faults || checks(schema, value)) return
  yield violation(CODE, named(path), null, 'has an item twice; allowed: each once')
}

const validators = new WeakMap<Shape, (value: unknown) => boolean>()

/** Checks a value. Each schema is compiled once, because compiling takes longer than any check. */
function checks(schema: Shape, value: unknown): boolean {
  let check = validators.get(schema)
  if (check === undefined) {
    const validator = Compile(schema)
    check = (given) => validator.Check(given)
    validators.set(schema, check)
  }
  return check(value)
}

function fault(schema: Shape, value: unknown, path: string): Violation {
  return violation(CODE, named(path), shown(value), `allowed: ${allowed(schema)}`)
}

/** Returns the value as JSON: it distinguishes a number from a text, the most common fault. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isObject(value)) return `an object of ${Object.keys(value).length} fields`
  return typeof value === 'string' ? value : `${value} (${value === null ? 'null' : typeof value})`
}

function allowed(schema: Shape): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(allowed).join(', or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'null') return 'null'
  if (schema.properties !== undefined) return 'an object'
  if (schema.patternProperties !== undefined) return `an object of at most ${schema.maxProperties} fields`
  if (schema.items !== undefined) return `a list of ${schema.minItems ?? 0} to ${schema.maxItems} items`
  return schema.type === 'string' ? `a string: ${describeAllowed(schema)}` : describeAllowed(schema)
}

function within(path: string, name: string): string {
  return path === '' ? echoValue(name) : `${path}.${echoValue(name)}`
}

function named(path: string): string {
  return path === '' ? 'body' : path
}

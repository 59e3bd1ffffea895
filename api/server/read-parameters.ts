import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import { formatMicros, microsOf } from '../../primitives/instants.ts'
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts'
import type { ParameterKind } from '../../protocol/endpoints/parameter.ts'
import { FAULTS_MAX } from '../../protocol/limits.ts'
import { Instant } from '../../protocol/scalars.ts'
import { compiledCheck } from './compiled-check.ts'
import { describeAllowed } from './describe-allowed.ts'
import { echoValue } from './echo-value.ts'
import type { ParameterValue } from './handler.ts'
import { RequestRefusal, type Violation, violation } from './request-refusal.ts'

export type ParameterValues = Readonly<Record<string, ParameterValue>>

/** Reads the path and query of one endpoint: valid values, or every fault at once. */
export type ParameterReader = (path_values: Readonly<Record<string, string>>, raw_query: string) => ParameterValues

type Rule = {
  readonly kind: ParameterKind
  readonly check: (value: unknown) => boolean
  readonly allowed: string
  readonly is_instant: boolean
}

const INTEGER = /^(0|-?[1-9]\d{0,15})$/

/** Precedence of fault codes: the first one becomes the code of the error. */
const PRECEDENCE: readonly ErrorCode[] = [
  'VALIDATION_PARAMETER_UNKNOWN',
  'VALIDATION_PARAMETER_REPEATED',
  'VALIDATION_PARAMETER_MISSING',
  'VALIDATION_PARAMETER_INVALID',
]

/**
 * Creates the reader of an endpoint from its schemas. Nothing is coerced beyond the kind of a parameter (integer, boolean, comma
 * list), dropped or clamped; instants are returned in canonical text, lists sorted, defaults filled in.
 * @throws {RequestRefusal} from the reader: VALIDATION_PARAMETER_UNKNOWN, _REPEATED, _MISSING, _INVALID
 */
export function parameterReader(endpoint: Endpoint): ParameterReader {
  const path_rules = Object.entries(endpoint.path_parameters).map(
    ([name, schema]) => [name, ruleOf('text', schema)] as const,
  )
  const query = Object.entries(endpoint.query)
  const query_rules = new Map(query.map(([name, { kind, schema }]) => [name, ruleOf(kind, schema)]))
  const required = query.flatMap(([name, parameter]) => (parameter.required === true ? [name] : []))
  const defaults = Object.fromEntries(query.flatMap(([name, { schema }]) => defaultOf(name, schema)))
  return (path_values, raw_query) => {
    const values: Record<string, ParameterValue> = { ...defaults }
    const faults: Violation[] = []
    for (const [name, rule] of path_rules) take(name, path_values[name]!, rule, values, faults)
    if (raw_query !== '') readQuery(splitQuery(raw_query), query_rules, values, faults)
    for (const name of required)
      if (!(name in values) && !isNamed(name, faults)) faults.push(missing(name, query_rules))
    if (faults.length > 0) throw refusal(faults)
    return values
  }
}

function readQuery(
  pairs: readonly QueryPair[],
  rules: ReadonlyMap<string, Rule>,
  values: Record<string, ParameterValue>,
  faults: Violation[],
): void {
  const seen = new Set<string>()
  for (const { raw, name, value } of pairs) {
    if (faults.length >= FAULTS_MAX) return
    const rule = name === null ? undefined : rules.get(name)
    if (name === null || rule === undefined) faults.push(unknown(name ?? raw, value ?? rawValue(raw), rules))
    else if (seen.has(name)) faults.push(repeated(name, value ?? rawValue(raw)))
    else if (value === null)
      faults.push(
        violation('VALIDATION_PARAMETER_INVALID', name, rawValue(raw), 'allowed: well-formed percent-encoded UTF-8'),
      )
    else take(name, value, rule, values, faults)
    if (name !== null) seen.add(name)
  }
}

function take(
  name: string,
  text: string,
  rule: Rule,
  values: Record<string, ParameterValue>,
  faults: Violation[],
): void {
  const value = readText(text, rule)
  if (value === null || !rule.check(value)) {
    faults.push(violation('VALIDATION_PARAMETER_INVALID', name, text, `allowed: ${rule.allowed}`))
    return
  }
  values[name] = value
}

/** Parses a text as a value of its kind; null: it is not one. */
function readText(text: string, { kind, is_instant }: Rule): ParameterValue | null {
  if (kind === 'integer') return INTEGER.test(text) ? +text : null
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (kind === 'list') return text.split(',').sort()
  if (!is_instant) return text
  const micros = text.endsWith('Z') ? microsOf(text) : null
  return micros === null ? null : formatMicros(micros)
}

function ruleOf(kind: ParameterKind, schema: TSchema): Rule {
  return {
    kind,
    check: compiledCheck(schema),
    allowed: describeAllowed(schema),
    is_instant: schema === Instant,
  }
}

function defaultOf(name: string, schema: TSchema): [string, ParameterValue][] {
  const value = (schema as { readonly default?: ParameterValue }).default
  return value === undefined ? [] : [[name, value]]
}

function unknown(name: string, value: string, rules: ReadonlyMap<string, Rule>): Violation {
  const allowed = rules.size === 0 ? 'this endpoint takes none' : `allowed: ${[...rules.keys()].join(', ')}`
  const message = `${JSON.stringify(echoValue(name))} is not a parameter of this endpoint; ${allowed}`
  return { ...violation('VALIDATION_PARAMETER_UNKNOWN', echoValue(name), value, ''), message }
}

function repeated(name: string, value: string): Violation {
  return violation(
    'VALIDATION_PARAMETER_REPEATED',
    name,
    value,
    'a second value; allowed: one, and in a list commas between its items',
  )
}

function missing(name: string, rules: ReadonlyMap<string, Rule>): Violation {
  return violation('VALIDATION_PARAMETER_MISSING', name, null, `is required; allowed: ${rules.get(name)!.allowed}`)
}

function isNamed(name: string, faults: readonly Violation[]): boolean {
  return faults.some(({ field }) => field === name)
}

/** Builds the refusal, faults sorted by precedence; the sort is stable, so faults of one code stay in request order. */
function refusal(faults: readonly Violation[]): RequestRefusal {
  const rank = ({ code }: Violation): number => PRECEDENCE.indexOf(code)
  const [first, ...others] = [...faults].sort((a, b) => rank(a) - rank(b))
  return new RequestRefusal([first!, ...others])
}

/** One `name=value` of a query string, decoded; null: its percent-encoding is broken. */
type QueryPair = { readonly raw: string; readonly name: string | null; readonly value: string | null }

/**
 * Splits a raw query string (without `?`) into pairs, in order, each as sent: nothing is merged, dropped or nested.
 * `+` is a space and `%2B` a plus, as forms and URLSearchParams write them; a name without `=` has the empty value.
 */
function splitQuery(raw_query: string): readonly QueryPair[] {
  return raw_query.split('&').map((raw) => {
    const at = raw.indexOf('=')
    const name = at < 0 ? raw : raw.slice(0, at)
    return { raw, name: decode(name), value: at < 0 ? '' : decode(raw.slice(at + 1)) }
  })
}

/** Returns the value of a pair as sent. */
function rawValue(raw: string): string {
  return raw.slice(raw.indexOf('=') + 1)
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

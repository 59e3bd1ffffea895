import Type, { type Static } from 'typebox'
import { parseDecimal } from '../../primitives/decimal.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { idForm, idPattern } from '../../primitives/id-form.ts'
import { durationMicros } from '../../primitives/instants.ts'
import { ELIGIBILITY_FACTS, type FactName, factKind, SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import { MARKET_STATUSES } from '../../vocabulary/market.ts'
import { RATED_BANDS } from '../../vocabulary/rating.ts'
import { CLOSED, Text } from '../evidence/form-types.ts'
import { formFault, readForm } from '../evidence/read-form.ts'
import { type Adopted, recordHash } from '../governance/documents.ts'

/** Bound on one fact; null: no such bound. Durations are ISO 8601, decimals and bands are text. */
export type EligibilityRule = {
  readonly fact: FactName
  readonly at_least: string | null
  readonly at_most: string | null
  readonly one_of: readonly string[] | null
  /** Longest time since the fact was observed. */
  readonly age_max: string | null
}

/** An eligibility policy as published; each version names the hash of the one before. */
export type EligibilityPolicy = {
  readonly statement: 'tidemark.eligibility_policy.v1'
  readonly policy_id: string
  readonly version: number
  readonly previous_hash: string | null
  readonly name: string
  readonly rules: readonly EligibilityRule[]
}

const Bound = Type.String({ minLength: 1, maxLength: 64, description: 'text of 1 to 64 characters' })
const RuleForm = Type.Object(
  {
    fact: Type.Union(
      ELIGIBILITY_FACTS.map((name) => Type.Literal(name)),
      { description: ELIGIBILITY_FACTS.join(', ') },
    ),
    at_least: Type.Optional(Bound),
    at_most: Type.Optional(Bound),
    one_of: Type.Optional(Type.Array(Bound, { minItems: 1, maxItems: 100, description: 'a list of 1 to 100 texts' })),
    age_max: Type.Optional(Bound),
  },
  CLOSED,
)
const PolicySchema = Type.Object(
  {
    policy: Type.Object(
      { policy_id: Type.String({ pattern: idPattern('pol'), description: idForm('pol') }), name: Text },
      CLOSED,
    ),
    rules: Type.Array(RuleForm, { minItems: 1, maxItems: 100, description: 'a list of 1 to 100 rules' }),
  },
  CLOSED,
)

/** Content of a policy file, which has no version yet. */
export type EligibilityContent = Pick<EligibilityPolicy, 'policy_id' | 'name' | 'rules'>

/** Reads a policy file. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseEligibilityPolicy(text: string, file: string): EligibilityContent {
  const { policy, rules } = readForm(PolicySchema, text, file)
  const content = { ...policy, rules: rules.map(ruleOf) }
  checkContent(content)
  return content
}

function ruleOf({ fact, ...bounds }: Static<typeof RuleForm>): EligibilityRule {
  const { at_least = null, at_most = null, one_of = null, age_max = null } = bounds
  return { fact: fact as FactName, at_least, at_most, one_of, age_max }
}

/** Returns the next version of a policy. @param before null: the first */
export function eligibilityPolicy(
  { policy_id, name, rules }: EligibilityContent,
  before: { readonly version: number; readonly record_hash: string } | null,
): EligibilityPolicy {
  return {
    statement: 'tidemark.eligibility_policy.v1',
    policy_id,
    version: (before?.version ?? 0) + 1,
    previous_hash: before?.record_hash ?? null,
    name,
    rules,
  }
}

/** Policy that is built in. */
export const BUILT_IN_POLICY: EligibilityPolicy = eligibilityPolicy(
  {
    policy_id: SOURCE_TERMS_POLICY,
    name: 'Terms of the source alone',
    rules: [{ fact: 'source_permitted', at_least: null, at_most: null, one_of: ['true'], age_max: null }],
  },
  null,
)

/**
 * Refuses a policy that may not follow another.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, REVIEW_STATE_CONFLICT: it does not follow the newest version
 */
export function checkEligibilityPolicy(
  document: EligibilityPolicy,
  before: Pick<Adopted<EligibilityPolicy>, 'document' | 'record_hash'> | null,
): void {
  checkForm(document)
  checkContent(document)
  const known = before === null ? null : { version: before.document.version, record_hash: before.record_hash }
  if (known !== null && known.version < 1) throw invalid('version', document.version, 'a version after the first')
  const wanted = eligibilityPolicy(document, known)
  if (recordHash(wanted) === recordHash(document)) return
  throw notAllowed(
    'REVIEW_STATE_CONFLICT',
    'eligibility policy',
    `version ${document.version} after ${document.previous_hash ?? 'none'}`,
    `version ${wanted.version} of ${wanted.policy_id} after ${wanted.previous_hash ?? 'none'}, the newest`,
  )
}

/** Reports whether two versions decide alike, so that only their wording differs. */
export function decidesAlike(a: EligibilityPolicy, b: EligibilityPolicy): boolean {
  return recordHash(a.rules) === recordHash(b.rules)
}

/** Refuses a signed document that no file could have given. */
function checkForm({ policy_id, name, rules }: EligibilityPolicy): void {
  const written = Array.isArray(rules) ? rules.map(writtenRule) : rules
  const fault = formFault(PolicySchema, { policy: { policy_id, name }, rules: written })
  if (fault !== null) throw new ServiceError('VALIDATION_DEFINITION_INVALID', fault)
  const same = (rules as readonly EligibilityRule[]).map((rule) => ruleOf(writtenRule(rule) as Static<typeof RuleForm>))
  if (recordHash(same) !== recordHash(rules))
    throw invalid('rules', 'in another form', 'every bound, null if it is none')
}

/** Returns a rule as a file has it: without the bounds that are none. */
function writtenRule(rule: EligibilityRule) {
  return Object.fromEntries(Object.entries(rule).filter(([, bound]) => bound !== null))
}

function checkContent({ policy_id, rules }: EligibilityContent): void {
  if (policy_id === SOURCE_TERMS_POLICY)
    throw invalid('policy_id', policy_id, 'another id, because this one is built in')
  if (!Array.isArray(rules) || rules.length === 0) throw invalid('rules', rules, 'a list of at least one rule')
  const seen = new Set<string>()
  for (const [i, rule] of rules.entries()) {
    if (seen.has(rule.fact)) throw invalid(`rules[${i}].fact`, rule.fact, 'each fact once')
    seen.add(rule.fact)
    checkRule(rule, `rules[${i}]`)
  }
}

/** Closed sets of words that a fact may have. */
const WORDS: Readonly<Partial<Record<FactName, readonly string[]>>> = {
  source_permitted: ['true', 'false'],
  market_status: MARKET_STATUSES,
}

function checkRule(rule: EligibilityRule, at: string): void {
  const { fact, at_least, at_most, one_of, age_max } = rule
  if (!ELIGIBILITY_FACTS.includes(fact)) throw invalid(`${at}.fact`, fact, ELIGIBILITY_FACTS.join(', '))
  const kind = factKind(fact)
  if ([at_least, at_most, one_of, age_max].every((bound) => bound === null))
    throw invalid(at, 'without a bound', 'at_least, at_most, one_of or age_max')
  if (age_max !== null) durationMicros(age_max, `${at}.age_max`)
  if (kind === 'word') {
    if (at_least !== null || at_most !== null)
      throw invalid(at, 'at_least or at_most', `one_of, because ${fact} is a word`)
    const allowed = WORDS[fact]
    const unknown = allowed === undefined ? undefined : one_of?.find((word) => !allowed.includes(word))
    if (unknown !== undefined) throw invalid(`${at}.one_of`, unknown, allowed!.join(', '))
    return
  }
  if (one_of !== null) throw invalid(`${at}.one_of`, one_of, `no one_of, because ${fact} is a ${kind}`)
  if (kind === 'band') {
    if (at_most !== null) throw invalid(`${at}.at_most`, at_most, 'no at_most, because a band has a worst one only')
    if (at_least !== null && !RATED_BANDS.some((band) => band === at_least))
      throw invalid(`${at}.at_least`, at_least, RATED_BANDS.join(', '))
    return
  }
  checkBounds(rule, at, kind === 'duration' ? durationBound : decimalBound)
}

function checkBounds(
  { at_least, at_most }: EligibilityRule,
  at: string,
  read: (text: string, field: string) => number | ReturnType<typeof parseDecimal>,
): void {
  const low = at_least === null ? null : read(at_least, `${at}.at_least`)
  const high = at_most === null ? null : read(at_most, `${at}.at_most`)
  if (low === null || high === null) return
  const is_above = typeof low === 'number' ? low > Number(high) : low.gt(high)
  if (is_above) throw invalid(`${at}.at_most`, at_most, `at least ${at_least}, its at_least`)
}

function durationBound(text: string, field: string): number {
  return durationMicros(text, field)
}

function decimalBound(text: string, field: string) {
  const value = parseDecimal(text, field)
  if (value.isNegative()) throw invalid(field, text, 'a decimal string that is not negative')
  return value
}

function invalid(field: string, value: unknown, allowed: string) {
  const seen = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, seen, allowed)
}

import { changedFacts } from '../../pipelines/eligibility/drift.ts'
import { BUILT_IN_POLICY, type EligibilityPolicy } from '../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../pipelines/governance/documents.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { MarketEligibility, ProForma } from '../../protocol/resources/eligibility.ts'
import { NOT_EVALUATED, SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, rowOrNull, rowsOf, textOf, textsOf } from './pick.ts'

/** Row of the policy that is built in. */
export const BUILT_IN_ROW: Row = {
  policy_id: BUILT_IN_POLICY.policy_id,
  version: BUILT_IN_POLICY.version,
  name: BUILT_IN_POLICY.name,
  record_hash: recordHash(BUILT_IN_POLICY),
  previous_hash: null,
  proposal_id: null,
  effective_from: null,
  document: canonicalJson(BUILT_IN_POLICY),
  published_at: null,
}

const POLICY_FIELDS = [
  'policy_id',
  'version',
  'name',
  'record_hash',
  'previous_hash',
  'proposal_id',
  'effective_from',
] as const

/** Returns a version of a policy with its rules. */
export function eligibilityPolicyOf(row: Row) {
  const { rules } = JSON.parse(textOf(row, 'document')) as EligibilityPolicy
  const published_at = row.published_at ?? null
  return { ...fieldsOf(row, POLICY_FIELDS), rules, signed_content: textOf(row, 'document'), published_at }
}

const FACT_FIELDS = ['fact', 'value', 'observed_at', 'source_table', 'source_id'] as const

function factsOf(value: Row[string]) {
  return rowsOf(value).map((fact) => fieldsOf(fact, FACT_FIELDS))
}

/**
 * Returns the decision of a policy about a market.
 * @param decision row of eligibility_decision, or null
 */
export function marketEligibilityOf(market: Row, policy: Row, decision: Row | null): MarketEligibility {
  const { market_id } = market
  const { policy_id, version: policy_version, record_hash: policy_hash } = policy
  const head = { market_id, policy_id, policy_version, policy_hash }
  const terms = rowOrNull(market.eligibility)
  if (policy_id === SOURCE_TERMS_POLICY && terms !== null) return { ...head, ...termsOf(terms) } as MarketEligibility
  if (decision === null)
    return {
      ...head,
      ...{ status: 'unknown', reason_codes: [NOT_EVALUATED], facts: [], facts_as_of: null },
      ...{ decision_id: null, revision: null, published_at: null },
    } as unknown as MarketEligibility
  return {
    ...head,
    status: decision.status,
    reason_codes: textsOf(decision.reason_codes),
    facts: factsOf(decision.facts),
    ...fieldsOf(decision, ['facts_as_of', 'decision_id', 'revision', 'published_at']),
  } as unknown as MarketEligibility
}

/** Decision by the terms of the source alone, which the market's own record has. */
function termsOf({ eligibility_id, revision, status, reason_codes, evaluated_at, published_at }: Row) {
  const fact = {
    ...{ fact: 'source_permitted', value: String(status === 'eligible'), observed_at: evaluated_at ?? null },
    ...{ source_table: 'market_eligibility', source_id: eligibility_id },
  }
  const facts_as_of = evaluated_at ?? null
  const facts = [fact]
  return {
    status,
    reason_codes: textsOf(reason_codes),
    facts,
    facts_as_of,
    decision_id: eligibility_id,
    revision,
    published_at,
  }
}

/** Returns the eligibility of a constituent beside that at selection. @param selected its row in the announced composition, or null */
export function constituentEligibilityOf(constituent: Row, selected: Row | null, now: MarketEligibility) {
  const { constituent_id, market_id } = constituent
  const { status, reason_codes, facts } = now
  return {
    constituent_id,
    market_id,
    status_at_selection: constituent.eligibility_status,
    rating_assessment_id_at_selection: constituent.rating_assessment_id_at_selection ?? null,
    status,
    reason_codes,
    facts,
    changed_facts: changedFacts({
      constituent_id: String(constituent_id),
      market_id: String(market_id),
      facts_at_selection: selected === null ? null : (factsOf(selected.facts) as never),
      ...{ status, reason_codes, facts },
    }),
    decision_id: now.decision_id,
    facts_as_of: now.facts_as_of,
  }
}

const PRO_FORMA_FIELDS = [
  ...['pro_forma_id', 'index_id', 'index_version_id', 'version', 'effective_from', 'selected_as_of', 'is_governed'],
  ...['base_version_id', 'methodology_id', 'methodology_version', 'policy_id', 'policy_version', 'policy_hash'],
] as const
const MEMBER_FIELDS = [
  ...['constituent_id', 'market_id', 'outcome_id', 'target_weight', 'rank', 'ranking_value', 'rating_id'],
  'is_incumbent',
] as const
const CANDIDATE_FIELDS = ['rank', 'ranking_value', 'is_incumbent', 'is_selected'] as const

/** Returns an announced composition. */
export function proFormaOf(row: Row): ProForma {
  return {
    ...fieldsOf(row, PRO_FORMA_FIELDS),
    definition: JSON.parse(textOf(row, 'definition')) as Record<string, unknown>,
    constituents: rowsOf(row.constituents).map((one) => ({
      ...fieldsOf(one, MEMBER_FIELDS),
      reason_codes: textsOf(one.reason_codes),
      facts: factsOf(one.facts),
    })),
    candidates: rowsOf(row.candidates).map((one) => ({
      ...fieldsOf(one, ['market_id', 'eligibility_status']),
      eligibility_reason_codes: textsOf(one.eligibility_reason_codes),
      ...fieldsOf(one, CANDIDATE_FIELDS),
      reason_codes: textsOf(one.reason_codes),
    })),
    ...fieldsOf(row, ['record_hash', 'published_at']),
  } as unknown as ProForma
}

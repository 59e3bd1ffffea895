import Type, { type Static } from 'typebox'
import { ELIGIBILITY_FACTS, ELIGIBILITY_VERDICTS, SELECTION_REASONS } from '../../vocabulary/eligibility.ts'
import { closed, Decimal, Id, Instant, instantOf, orNull, Text, texts } from '../scalars.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the RFC 8785 form, in hex' })
const Version = Type.Integer({ minimum: 1, description: 'version of the policy' })
const Verdict = texts(ELIGIBILITY_VERDICTS, 'unknown: a fact that a rule needs is missing, or nothing was evaluated')

const EligibilityRule = Type.Object(
  {
    fact: texts(ELIGIBILITY_FACTS),
    at_least: orNull(Text, 'a decimal, an ISO 8601 duration or a band; null: no such bound'),
    at_most: orNull(Text),
    one_of: orNull(Type.Array(Text)),
    age_max: orNull(Text, 'longest time since the fact was observed, ISO 8601'),
  },
  { ...closed, title: 'EligibilityRule' },
)

/** A version of an eligibility policy. The built-in one is published with the software. */
export const EligibilityPolicy = Type.Object(
  {
    policy_id: Id,
    version: Version,
    name: Text,
    record_hash: Hash,
    previous_hash: orNull(Hash, 'record_hash of the version before; null: the first'),
    proposal_id: orNull(Id, 'null: it was applied without governance, or is built in'),
    effective_from: orNull(Instant, 'null: it is built in'),
    rules: Type.Array(EligibilityRule),
    signed_content: Type.String({ description: 'the RFC 8785 text whose SHA-256 is record_hash' }),
    published_at: orNull(Instant, 'null: it is built in'),
  },
  { ...closed, title: 'EligibilityPolicy' },
)
export type EligibilityPolicy = Static<typeof EligibilityPolicy>

const EligibilityFact = Type.Object(
  {
    fact: texts(ELIGIBILITY_FACTS),
    value: orNull(Text, 'null: the warehouse had no such fact'),
    observed_at: orNull(Instant),
    source_table: orNull(Text),
    source_id: orNull(Id, 'the record that it came from; null: none, or computed from many'),
  },
  { ...closed, title: 'EligibilityFact' },
)

/** Decision of a policy about a market, with the facts that it used. */
export const MarketEligibility = Type.Object(
  {
    market_id: Id,
    policy_id: Id,
    policy_version: Version,
    policy_hash: Hash,
    status: Verdict,
    reason_codes: Type.Array(Text),
    facts: Type.Array(EligibilityFact),
    facts_as_of: orNull(instantOf('the facts are those known at this instant; null: nothing was evaluated')),
    decision_id: orNull(Id),
    revision: orNull(Type.Integer({ minimum: 1 })),
    published_at: orNull(Instant),
  },
  { ...closed, title: 'MarketEligibility' },
)
export type MarketEligibility = Static<typeof MarketEligibility>

const ChangedFact = Type.Object(
  { fact: Text, at_selection: orNull(Text), now: orNull(Text) },
  { ...closed, title: 'ChangedFact' },
)

const ConstituentEligibility = Type.Object(
  {
    constituent_id: Id,
    market_id: Id,
    status_at_selection: Text,
    rating_assessment_id_at_selection: orNull(Id),
    status: Verdict,
    reason_codes: Type.Array(Text),
    facts: Type.Array(EligibilityFact),
    changed_facts: Type.Array(ChangedFact, { description: 'facts that differ from those at selection' }),
    decision_id: orNull(Id),
    facts_as_of: orNull(Instant),
  },
  { ...closed, title: 'ConstituentEligibility' },
)

/** Eligibility of the constituents of the version in force. */
export const IndexEligibility = Type.Object(
  {
    index_id: Id,
    index_version_id: orNull(Id, 'the version in force; null: there is none'),
    policy_id: Id,
    policy_version: Version,
    constituents: Type.Array(ConstituentEligibility),
    removals: Type.Array(Id, { description: 'constituents that the rule asks to remove: they are ineligible' }),
  },
  { ...closed, title: 'IndexEligibility' },
)
export type IndexEligibility = Static<typeof IndexEligibility>

const ProFormaConstituent = Type.Object(
  {
    constituent_id: Id,
    market_id: Id,
    outcome_id: Id,
    target_weight: Decimal,
    rank: Type.Integer({ minimum: 1 }),
    ranking_value: Text,
    rating_id: orNull(Id),
    is_incumbent: Type.Boolean(),
    reason_codes: Type.Array(texts(SELECTION_REASONS)),
    facts: Type.Array(EligibilityFact),
  },
  { ...closed, title: 'ProFormaConstituent' },
)

const ProFormaCandidate = Type.Object(
  {
    market_id: Id,
    eligibility_status: Verdict,
    eligibility_reason_codes: Type.Array(Text),
    rank: orNull(Type.Integer({ minimum: 1 }), 'null: it is not eligible, or cannot be ranked'),
    ranking_value: orNull(Text),
    is_incumbent: Type.Boolean(),
    is_selected: Type.Boolean(),
    reason_codes: Type.Array(texts(SELECTION_REASONS)),
  },
  { ...closed, title: 'ProFormaCandidate' },
)

/** Composition of a version, frozen and announced before it takes effect. */
export const ProForma = Type.Object(
  {
    pro_forma_id: Id,
    index_id: Id,
    index_version_id: Id,
    version: Text,
    effective_from: Instant,
    selected_as_of: instantOf('the facts of the selection are those known at this instant'),
    is_governed: Type.Boolean(),
    base_version_id: orNull(Id, 'version whose constituents are the incumbents; null: the first'),
    methodology_id: Id,
    methodology_version: Text,
    policy_id: Id,
    policy_version: Version,
    policy_hash: Hash,
    definition: Type.Record(Type.String(), Type.Unknown(), { description: 'the version as it is published' }),
    constituents: Type.Array(ProFormaConstituent),
    candidates: Type.Array(ProFormaCandidate),
    record_hash: Hash,
    published_at: Instant,
  },
  { ...closed, title: 'ProForma' },
)
export type ProForma = Static<typeof ProForma>

import type { JsonSchema } from './contract-document.ts'

/** Fields of a type as texts, such as `market_id: string`, by the name of the type. */
export type FieldTexts = ReadonlyMap<string, readonly string[]>

/** Fewest fields of a type that others extend: types that share fewer are not of one kind. */
const SHARED_FIELDS_MIN = 10

/**
 * Returns the type that another one extends: the largest one with only fields that the other has, and with most of them.
 * Of two types with the same fields, none extends the other.
 */
export function baseOf(name: string, types: FieldTexts): string | null {
  const fields = types.get(name)!
  const bases = [...types].filter(
    ([, some]) =>
      some.length >= SHARED_FIELDS_MIN &&
      some.length < fields.length &&
      some.length * 2 > fields.length &&
      some.every((field) => fields.includes(field)),
  )
  const largest = bases.toSorted(([, a], [, b]) => b.length - a.length)[0]
  return largest === undefined ? null : largest[0]
}

/** Names of the lists of values that several fields have, by one of those fields. Callers import them. */
const VALUE_NAMES: Readonly<Record<string, readonly [type: string, field: string]>> = {
  ChangeClass: ['Proposal', 'change_class'],
  ComplaintAct: ['Complaint', 'act'],
  ComplaintOutcome: ['Complaint', 'outcome'],
  ComplaintState: ['Complaint', 'state'],
  ComplaintSubject: ['Complaint', 'subject_kind'],
  DepthReason: ['BandLeg', 'reason'],
  EligibilityFactName: ['EligibilityRule', 'fact'],
  EligibilityStatus: ['MarketEligibility', 'status'],
  GovernanceRole: ['RosterMember', 'roles'],
  LevelBandReason: ['BandSide', 'reason'],
  LimitTierName: ['AccountPolicy', 'limit_tier'],
  MarketStatus: ['Market', 'status'],
  OrderStatus: ['Order', 'status'],
  ProposalKind: ['Proposal', 'kind'],
  ProposalState: ['Proposal', 'state'],
  QualityState: ['IndexObservation', 'quality_state'],
  RatingBand: ['MarketRating', 'band'],
  RebalanceReason: ['ProFormaCandidate', 'reason_codes'],
  ReviewState: ['MarketRating', 'review_state'],
  SelfTradePrevention: ['Order', 'self_trade_prevention'],
  SettlementState: ['Settlement', 'state'],
  SeverityLevel: ['Exceedance', 'level'],
  SignatureType: ['Order', 'signature_type'],
  TerminalReason: ['Order', 'terminal_reason'],
  TimeInForce: ['Order', 'time_in_force'],
  WebhookDeliveryType: ['WebhookDelivery', 'event_type'],
  WebhookEventType: ['Webhook', 'event_types'],
}

/** Returns the names of lists of values by the list as a type. @throws an error if a named field has no such list */
export function valueNames(schemas: Readonly<Record<string, JsonSchema>>): ReadonlyMap<string, string> {
  const names = Object.entries(VALUE_NAMES).map(([name, [type, field]]): [string, string] => {
    const values = valuesIn(schemas[type]?.properties?.[field] ?? {})
    if (values === undefined) throw new Error(`${name}: ${type}.${field} has no list of values`)
    return [unionOf(values), name]
  })
  return new Map(names)
}

/** Returns the values of a field, of items of a list or of one that may be null. */
function valuesIn({ enum: values, items, anyOf = [] }: JsonSchema): readonly unknown[] | undefined {
  return values ?? (items === undefined ? anyOf.map(valuesIn).find((some) => some !== undefined) : valuesIn(items))
}

/** Renders a list of values as a type. */
export function unionOf(values: readonly unknown[]): string {
  return values.map(literal).join(' | ')
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

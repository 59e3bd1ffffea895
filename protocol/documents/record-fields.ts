import type { TSchema } from 'typebox'
import { columnMeaning, VIEW_MEANINGS } from '../../vocabulary/meanings/view-meanings.ts'
import { Decimal, Duration, Id, Instant, Price, Quantity } from '../scalars.ts'
import { FIELD_MEANINGS } from './field-meanings.ts'

/** View whose rows a resource shows, where its name is not that of the resource. */
const VIEWS: Readonly<Record<string, string>> = {
  Complaint: 'governance_complaint',
  ComplaintWithHistory: 'governance_complaint',
  ConstituentLeg: 'constituent',
  Eligibility: 'market_eligibility',
  Index: 'index_definition',
  IndexInput: 'index_observation_input',
  LatestLevel: 'index_observation',
  LevelQuote: 'market_quote',
  MarketEligibility: 'eligibility_decision',
  MarketMapping: 'constituent',
  MarketMetrics: 'market_metric',
  MarketPrice: 'market_observation',
  Notice: 'governance_notice',
  OutcomePrice: 'market_mark',
  Policy: 'governance_policy',
  ProForma: 'index_pro_forma',
  Proposal: 'governance_proposal',
  ProposalWithHistory: 'governance_proposal',
  QuoteRecord: 'market_quote',
  RatingInForce: 'market_rating',
  RatingMethodology: 'assessment_methodology',
  Resolution: 'market_resolution',
  Restatement: 'index_restatement',
  Roster: 'governance_roster',
  SeverityIndex: 'severity_index_definition',
  SeverityMethodology: 'assessment_methodology',
  Trade: 'public_trade',
  VenueMapping: 'market',
}

/** Descriptions of scalars, which say the form of a value and not what it is. */
const FORMS: ReadonlySet<unknown> = new Set(
  [Id, Instant, Decimal, Price, Quantity, Duration].map((form: TSchema & { description?: string }) => form.description),
)

type Described = { readonly description?: unknown; readonly anyOf?: unknown }

/**
 * Adds a description to each field of a resource that has none of its own: that of the field, else the meaning of the column of the
 * same name in the view whose rows the resource shows.
 */
export function withMeanings<T extends object>(title: string, properties: Readonly<Record<string, T>>) {
  const view = VIEWS[title] ?? title.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  const of_view = (field: string) => (VIEW_MEANINGS[view] === undefined ? null : columnMeaning(view, field))
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]): [string, T] => {
      const meaning = hasMeaning(schema) ? null : (FIELD_MEANINGS[title]?.[field] ?? of_view(field))
      return [field, meaning === null ? schema : { ...schema, description: meaning }]
    }),
  )
}

/** Tests whether a schema, or that of the value that may be null, says more than a form. */
function hasMeaning({ description, anyOf }: Described): boolean {
  const [value] = (anyOf ?? []) as readonly Described[]
  return [description, value?.description].some((text) => text !== undefined && !FORMS.has(text))
}

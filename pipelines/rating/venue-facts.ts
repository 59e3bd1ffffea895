import Type, { type Static } from 'typebox'
import { Amount, At, CLOSED, Name, orNull, Share, Text, Tier, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'

/** Source of a fact, when it was stated, and its tier: B confirmed at the source, C stated but not confirmed. */
const Source = { source_uri: Text, stated_at: At, tier: Tier, note: Type.Optional(Text) }

/**
 * Facts about venues and resolution sources that cannot be measured from quotes. Null: unknown.
 * Published with the program; a rating names the version of the facts.
 */
const VenueFactsSchema = Type.Object(
  {
    facts: Type.Object({ facts_id: Name, version: Name }, CLOSED),
    venues: Type.Array(
      Type.Object(
        {
          venue_id: Name,
          /** 0 a regulated exchange, 0.5 offshore and audited, 1 neither. */
          regulation: orNull(Share),
          /** Unit of its sizes: dollars count, play money does not. */
          sizes_in_usd: Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'true or false' }),
          uptime_90d: orNull(Share),
          incidents_365d: orNull(Whole),
          settlement_delay_h: orNull(Amount),
          ...Source,
        },
        CLOSED,
      ),
    ),
    sources: Type.Array(
      Type.Object(
        {
          source_id: Name,
          name: Text,
          /** Case-insensitive patterns found in the rules' sources or text. */
          patterns: Type.Array(Text, { minItems: 1 }),
          /** official_statistic 1, regulated_vendor 0.9, wire 0.8, single_outlet 0.5, social 0.2. */
          authority: Type.Union(
            ['official_statistic', 'regulated_vendor', 'wire', 'single_outlet', 'social'].map((kind) =>
              Type.Literal(kind),
            ),
            { description: 'official_statistic, regulated_vendor, wire, single_outlet or social' },
          ),
          availability_90d: orNull(Share),
          revision_rate: orNull(Share),
          ...Source,
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
)

export type VenueFacts = Static<typeof VenueFactsSchema>
export type VenueFact = VenueFacts['venues'][number]
export type SourceFact = VenueFacts['sources'][number]

/** Weight of each kind of authority (methodology rating-1 §5). */
export const AUTHORITY: Readonly<Record<string, string>> = {
  official_statistic: '1',
  regulated_vendor: '0.9',
  wire: '0.8',
  single_outlet: '0.5',
  social: '0.2',
}

/** Reads a facts file. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseVenueFacts(text: string, name: string): VenueFacts {
  return readForm(VenueFactsSchema, text, name)
}

import Type from 'typebox'
import type { ListingPolicy } from '../../operations/own-venue/listing-policy.ts'
import { idForm } from '../../primitives/id-form.ts'
import { durationMicros } from '../../primitives/instants.ts'
import { closed, idOf, orNull, Text } from '../../protocol/scalars.ts'
import { parseShaped, readShapedFile, WrittenFees, WrittenTerms } from './operator-file.ts'

const Duration = Type.String({ pattern: '^P', description: 'an ISO 8601 duration such as PT15M or P1D' })

/** Schema of a listing policy (docs/own-venue.md); decimals are quoted texts. */
export const ListingFile = Type.Object(
  {
    listing: Type.Object(
      {
        policy_id: idOf('lst', idForm('lst')),
        policy_version: Text,
        sources: Type.Array(
          Type.Object(
            {
              venue_id: Text,
              categories: Type.Optional(orNull(Type.Array(Text, { minItems: 1 }))),
              markets_max: Type.Integer({ minimum: 0, maximum: 10_000, description: 'a whole number of 0 to 10000' }),
              remaining_min: Type.Optional(Duration),
            },
            closed,
          ),
          { minItems: 1, description: 'a list of sources, each {venue_id, markets_max}' },
        ),
        trading_parameters: WrittenTerms,
        fees: WrittenFees,
        stale_after: Duration,
        dispute_window: Duration,
      },
      closed,
    ),
  },
  { ...closed, title: 'Listing policy of Tidemark' },
)

/** Default minimum time to the close of a listed market. */
const REMAINING_MIN = 'PT1H'

/**
 * Reads a listing policy.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE; VALIDATION_DEFINITION_INVALID and VALIDATION_DURATION_INVALID name the path, the
 *   value and what is allowed
 */
export async function readListingFile(file: string): Promise<ListingPolicy> {
  return parseListing(await readShapedFile(file), file)
}

/** @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_DURATION_INVALID */
export function parseListing(text: string, file: string): ListingPolicy {
  const { listing } = parseShaped(ListingFile, text, file)
  const policy: ListingPolicy = {
    ...listing,
    sources: listing.sources.map(({ venue_id, categories = null, markets_max, remaining_min = REMAINING_MIN }) => {
      return { venue_id, categories, markets_max, remaining_min }
    }),
    fees: { maker_rate: '0', ...listing.fees },
  }
  durationMicros(policy.stale_after, 'listing.stale_after')
  durationMicros(policy.dispute_window, 'listing.dispute_window')
  for (const { remaining_min } of policy.sources) durationMicros(remaining_min, 'listing.sources.remaining_min')
  return policy
}

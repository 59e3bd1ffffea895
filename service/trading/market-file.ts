import Type, { type Static } from 'typebox'
import { requirePlainTexts } from '../../pipelines/review/plain-texts.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { idForm } from '../../primitives/id-form.ts'
import { durationMicros } from '../../primitives/instants.ts'
import { closed, Instant, idOf, orNull, PLAIN_LINE, Text } from '../../protocol/scalars.ts'
import { parseShaped, readShapedFile, WrittenFees, WrittenTerms } from './operator-file.ts'

const optional = <T extends Parameters<typeof orNull>[0]>(schema: T) => Type.Optional(orNull(schema))

const Line = Type.String({
  pattern: PLAIN_LINE,
  description: 'one line of text without control characters and without marks that turn its order',
})

/** A market as an operator writes it down (docs/trading-operations.md); decimals are quoted texts. */
const MarketFile = Type.Object(
  {
    market: Type.Object(
      {
        market_id: idOf('mkt', idForm('mkt')),
        event_id: optional(idOf('evt', idForm('evt'))),
        title: Line,
        outcomes: Type.Array(Type.Object({ outcome_id: idOf('out', idForm('out')), label: Line }, closed), {
          minItems: 2,
          maxItems: 32,
          description: 'a list of 2 to 32 outcomes, each {outcome_id, label}',
        }),
        rules: optional(
          Type.Object(
            {
              rules_version: optional(Text),
              resolution_question: optional(Text),
              resolution_sources: Type.Optional(Type.Array(Text)),
              resolution_criteria: optional(Text),
              dispute_policy_uri: optional(Text),
              timezone: optional(Text),
            },
            closed,
          ),
        ),
        schedule: optional(
          Type.Object(
            { opens_at: optional(Instant), closes_at: optional(Instant), expected_resolution_at: optional(Instant) },
            closed,
          ),
        ),
        dispute_window: optional(Text),
        trading_parameters: WrittenTerms,
        fees: WrittenFees,
      },
      closed,
    ),
  },
  closed,
)

export type MarketToList = Static<typeof MarketFile>['market']

/**
 * Reads a market file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE; VALIDATION_DEFINITION_INVALID names the place, the value and what is allowed
 */
export async function readMarketFile(file: string): Promise<MarketToList> {
  return parseMarket(await readShapedFile(file), file)
}

/** @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseMarket(text: string, file: string): MarketToList {
  const { market } = parseShaped(MarketFile, text, file)
  requirePlainTexts(market, `${file}: market`)
  const ids = market.outcomes.map(({ outcome_id }) => outcome_id)
  const twice = ids.find((outcome_id, place) => ids.indexOf(outcome_id) !== place)
  if (twice === undefined) return withWindow(market)
  const message = `${file}: market.outcomes names ${twice} twice; allowed: each outcome once`
  throw new ServiceError('VALIDATION_DEFINITION_INVALID', message, { file })
}

/** @throws {ServiceError} VALIDATION_DURATION_INVALID */
function withWindow(market: MarketToList): MarketToList {
  const { dispute_window = null } = market
  if (dispute_window !== null) durationMicros(dispute_window, 'market.dispute_window')
  return market
}

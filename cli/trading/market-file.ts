import { readFile } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import { parse } from 'yaml'
import { ServiceError } from '../../primitives/errors.ts'
import { durationMicros } from '../../primitives/instants.ts'
import { closed, Decimal, Instant, idOf, orNull, Text } from '../../protocol/scalars.ts'
import { explainShape } from './explain-shape.ts'

const optional = <T extends Parameters<typeof orNull>[0]>(schema: T) => Type.Optional(orNull(schema))

/** A market as an operator writes it down (docs/trading-operations.md); decimals are quoted texts. */
const MarketFile = Type.Object(
  {
    market: Type.Object(
      {
        market_id: idOf('mkt', 'mkt_ and 1 to 128 of [A-Za-z0-9_.-]'),
        event_id: optional(idOf('evt', 'evt_ and 1 to 128 of [A-Za-z0-9_.-]')),
        title: Text,
        outcomes: Type.Array(
          Type.Object({ outcome_id: idOf('out', 'out_ and 1 to 128 of [A-Za-z0-9_.-]'), label: Text }, closed),
          { minItems: 2, maxItems: 32, description: 'a list of 2 to 32 outcomes, each {outcome_id, label}' },
        ),
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
        trading_parameters: Type.Object(
          {
            price_min: Decimal,
            price_max: Decimal,
            price_increment: Decimal,
            quantity_increment: Decimal,
            minimum_quantity: Decimal,
            settlement_asset_id: idOf('asset', 'asset_ and 1 to 128 of [A-Za-z0-9_.-]'),
            shorting_permitted: Type.Boolean(),
          },
          closed,
        ),
        fees: Type.Object(
          {
            schedule_id: idOf('fees', 'fees_ and 1 to 128 of [A-Za-z0-9_.-]'),
            taker_rate: Decimal,
            maker_rate: Type.Optional(Decimal),
          },
          closed,
        ),
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
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = `file is ${file} (${error.code}); allowed: a readable YAML or JSON file`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { file }, error)
  })
  return parseMarket(text, file)
}

/** @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseMarket(text: string, file: string): MarketToList {
  const value = parsed(text, file)
  const fault = explainShape(MarketFile, value)
  if (fault !== null) throw new ServiceError('VALIDATION_DEFINITION_INVALID', `${file}: ${fault}`, { file })
  const { market } = value as Static<typeof MarketFile>
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

function parsed(text: string, file: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new ServiceError('VALIDATION_DEFINITION_INVALID', `${file} is no YAML: ${reason}`, { file }, error)
  }
}

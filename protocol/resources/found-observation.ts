import Type, { type Static } from 'typebox'
import { closed, Id, orNull, texts } from '../scalars.ts'
import { IndexObservation } from './index-observation.ts'
import { MarketObservation, MarketPrice, MarketPriceRefusal } from './market-price.ts'
import { Resolution } from './resolution.ts'
import { SeverityIndexValue } from './severity-index.ts'
import { Trade } from './trade.ts'

/** Kinds of records that levels, marks and prices derive from, and that derive from them. */
const OBSERVATION_KINDS = [
  'index_observation',
  'market_observation',
  'resolution',
  'severity_index_value',
  'trade',
] as const
export type ObservationKind = (typeof OBSERVATION_KINDS)[number]

/** A record found by its id alone, in the form of its own endpoint. */
export const FoundObservation = Type.Object(
  {
    observation_id: Id,
    kind: texts(OBSERVATION_KINDS),
    record: Type.Union([IndexObservation, MarketObservation, Resolution, SeverityIndexValue, Trade]),
  },
  { ...closed, title: 'FoundObservation' },
)
export type FoundObservation = Static<typeof FoundObservation>

/** Price of one of several markets: the price, or the error that its own endpoint answers with. */
export const MarketPriceResult = Type.Object(
  { market_id: Id, price: orNull(MarketPrice), error: orNull(MarketPriceRefusal) },
  { ...closed, title: 'MarketPriceResult' },
)
export type MarketPriceResult = Static<typeof MarketPriceResult>

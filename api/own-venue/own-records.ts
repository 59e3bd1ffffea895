import { ownEventId, ownEventRecord, ownMarketRecord } from '../../pipelines/venues/own-listing.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { fromScaled, quantize } from '../../primitives/scaled.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import { completedRules } from '../../warehouse/reader/catalog.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { PRICE, QUANTITY } from '../../warehouse/tables/columns.ts'
import { updatedAt } from '../resources/market-resources.ts'

/** Status of a market, with its date and payouts, by the engine's events. */
export type OwnState = Pick<PublicMarket, 'status' | 'revised_at' | 'payouts' | 'complementary'>

/**
 * Returns the catalogue's row of a market that the warehouse has not stored yet, as it will be once stored. Its eligibility and sizes
 * are records of the warehouse, so they are null until then.
 */
export function ownMarketAheadRow(listing: PublicMarketRead, state: OwnState, catalog: Pick<Catalog, 'event'>): Row {
  const record = ownMarketRecord(listing, { ...state, at: state.revised_at }) as Row
  const at = formatMicros(state.revised_at)
  return {
    ...record,
    rules: completedRules(record),
    schedule: scheduleOf(record.schedule as Row),
    trading_parameters: termsOf(record.trading_parameters as Terms),
    category: catalog.event(ownEventId(listing))?.category ?? null,
    eligibility: null,
    metrics: null,
    source_at: at,
    published_at: at,
  }
}

/** Returns an event with the listed markets that its stored record does not name yet; null: there is no such event. */
export function ownEventAheadRow(stored: Row | null, listings: readonly PublicMarketRead[]): Row | null {
  return listings.reduce<Row | null>((event, listing) => {
    const named = ownEventRecord(event, listing)
    if (named === null) return event
    const before = event === null ? 0 : toMicros(updatedAt(event))
    const at = formatMicros(Math.max(listing.created_at, before))
    return { published_at: at, ...(named as Row), market_ids: [...named.market_ids].sort(), updated_at: at }
  }, stored)
}

function scheduleOf(schedule: Row): Row {
  return mapValues(schedule, (text) => (text === null ? null : formatMicros(toMicros(text))))
}

type Terms = Omit<PublicMarketRead['listed']['terms'], 'complementary'>

/** Returns the terms with the digits that the warehouse stores. */
function termsOf(terms: Terms): Row {
  const text = (value: string, scale: number) => fromScaled(quantize(value, scale), scale)
  return {
    ...terms,
    price_min: text(terms.price_min, PRICE.scale),
    price_max: text(terms.price_max, PRICE.scale),
    price_increment: text(terms.price_increment, PRICE.scale),
    quantity_increment: text(terms.quantity_increment, QUANTITY.scale),
    minimum_quantity: text(terms.minimum_quantity, QUANTITY.scale),
  }
}

function mapValues(row: Row, change: (value: Row[string] | undefined) => Row[string]): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]))
}

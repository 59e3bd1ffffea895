import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { Position } from '../../protocol/resources/position.ts'
import { MARK_SCALE } from '../engine/state.ts'
import { AVERAGE_SCALE } from '../ledger/position.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { PositionRow } from './rows.ts'

/** Public columns of a position. */
export type PositionShown = Omit<
  PositionRow,
  'requirement' | 'covering' | 'order_reserve' | 'pending_short_credit' | 'open_settlements'
>

export type PositionFacts = {
  readonly terms: MarketTerms
  /** Last mark at scale 8; null: none, and values that depend on it are null. */
  readonly mark: number | null
  /** Published record of the mark; null: an operator set it. */
  readonly mark_observation_id: string | null
  readonly pending_settlement_ids: readonly string[]
  /** Instant of the row. */
  readonly as_of: Micros
}

/**
 * Returns the public form of a position: cost_basis = |net| x average_entry_price; market_value = net x mark;
 * unrealized = net x (mark - average).
 */
export function positionResource(row: PositionShown, facts: PositionFacts): Position {
  const { terms, mark, as_of } = facts
  const { net_quantity: net, average_entry_price: average } = row
  const quantity = (value: number) => fromScaled(BigInt(value), terms.quantity_scale)
  const price = (value: number | null, scale: number) => (value === null ? null : fromScaled(BigInt(value), scale))
  const money = <V extends bigint | null>(value: V) =>
    (value === null ? null : fromScaled(value, terms.asset_scale)) as V extends null ? null : string
  return {
    position_id: positionId(row.account_id, row.outcome_id),
    account_id: row.account_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    net_quantity: quantity(net),
    settled_quantity: quantity(row.settled_quantity),
    unsettled_quantity: quantity(net - row.settled_quantity),
    reserved_sell_quantity: quantity(row.reserved_sell_quantity),
    available_to_sell: quantity(Math.max(net - row.reserved_sell_quantity, 0)),
    average_entry_price: price(average, AVERAGE_SCALE),
    mark_price: price(mark, MARK_SCALE),
    mark_observation_id: facts.mark_observation_id,
    pricing_method: mark === null ? null : 'last_delivered_mark',
    cost_basis: money(worth(terms, BigInt(Math.abs(net)) * BigInt(average ?? 0), AVERAGE_SCALE)),
    market_value: money(mark === null ? null : valueAtMark(terms, net, mark)),
    realized_pnl: fromScaled(BigInt(row.realized_pnl), terms.asset_scale),
    unrealized_pnl: money(unrealizedPnl(row, facts)),
    pnl_asset_id: terms.settlement_asset_id,
    pending_settlement_ids: [...facts.pending_settlement_ids],
    source_fill_sequence: row.source_fill_sequence,
    projection_version: row.projection_version,
    engine_sequence: row.engine_sequence,
    as_of: formatMicros(as_of),
  }
}

/** Returns the id of an account's position in an outcome; it never changes. */
function positionId(account_id: string, outcome_id: string): string {
  return deriveId('pos', account_id, outcome_id)
}

/** Scales that decide what contracts at a price are worth in the asset. */
export type WorthScales = Pick<MarketTerms, 'quantity_scale' | 'asset_scale'>

/** Returns what contracts are worth at a mark, in asset units, rounded half even. */
export function valueAtMark(terms: WorthScales, quantity: number, mark: number): bigint {
  return worth(terms, BigInt(quantity) * BigInt(mark), MARK_SCALE)
}

/** Returns net x (mark - average) in asset units; null: there is no mark. */
export function unrealizedPnl(
  { net_quantity, average_entry_price }: Pick<PositionShown, 'net_quantity' | 'average_entry_price'>,
  { terms, mark }: Pick<PositionFacts, 'terms' | 'mark'>,
): bigint | null {
  if (mark === null) return null
  if (average_entry_price === null) return 0n
  const gained = BigInt(mark) * pow10(AVERAGE_SCALE - MARK_SCALE) - BigInt(average_entry_price)
  return worth(terms, BigInt(net_quantity) * gained, AVERAGE_SCALE)
}

/** Returns price x quantity in asset units, rounded half even. */
function worth({ quantity_scale, asset_scale }: WorthScales, product: bigint, price_scale: number): bigint {
  return divideHalfEven(product * pow10(asset_scale), pow10(price_scale + quantity_scale))
}

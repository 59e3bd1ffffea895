import type { Adjustment } from '../../../protocol/resources/adjustment.ts'
import type { Balance } from '../../../protocol/resources/balance.ts'
import type { Fill } from '../../../protocol/resources/fill.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import type { Settlement } from '../../../protocol/resources/settlement.ts'
import { WORKING_STATUSES } from '../../../vocabulary/order.ts'

/** Records of an account, each in its newest known state. */
export type AccountRecords = {
  readonly orders: ReadonlyMap<string, Order>
  readonly fills: ReadonlyMap<string, Fill>
  /** By outcome_id. */
  readonly positions: ReadonlyMap<string, Position>
  /** By asset_id. */
  readonly balances: ReadonlyMap<string, Balance>
  readonly settlements: ReadonlyMap<string, Settlement>
}

export const NO_RECORDS: AccountRecords = {
  orders: new Map(),
  fills: new Map(),
  positions: new Map(),
  balances: new Map(),
  settlements: new Map(),
}

/** Records of one kind from an answer or a message. */
export type AccountUpdate =
  | { readonly kind: 'orders'; readonly records: readonly Order[] }
  | { readonly kind: 'fills'; readonly records: readonly Fill[] }
  | { readonly kind: 'positions'; readonly records: readonly Position[] }
  | { readonly kind: 'balances'; readonly records: readonly Balance[] }
  | { readonly kind: 'settlements'; readonly records: readonly Settlement[] }

/**
 * Adds records. Answers and messages arrive in any order and more than once; records older than the known ones change nothing.
 */
export function withUpdate(known: AccountRecords, update: AccountUpdate): AccountRecords {
  switch (update.kind) {
    case 'orders':
      return {
        ...known,
        orders: newest(
          known.orders,
          update.records,
          (one) => one.order_id,
          (one) => one.version,
        ),
      }
    case 'fills':
      return {
        ...known,
        fills: newest(
          known.fills,
          update.records,
          (one) => one.fill_id,
          (one) => one.adjustment_ids.length,
        ),
      }
    case 'positions':
      return {
        ...known,
        positions: newest(
          known.positions,
          update.records,
          (one) => one.outcome_id,
          (one) => one.projection_version,
        ),
      }
    case 'balances':
      return {
        ...known,
        balances: newest(
          known.balances,
          update.records,
          (one) => one.asset_id,
          (one) => one.projection_version,
        ),
      }
    case 'settlements':
      return {
        ...known,
        settlements: newest(
          known.settlements,
          update.records,
          (one) => one.settlement_id,
          (one) => one.projection_version,
        ),
      }
  }
}

/**
 * Adds to a new read the known records that are later than it, from messages that arrived meanwhile.
 * @param seq engine_sequence of the read
 */
export function rebased(read: AccountRecords, known: AccountRecords, seq: number): AccountRecords {
  const later = <T extends { readonly engine_sequence: number }>(of: ReadonlyMap<string, T>): readonly T[] =>
    [...of.values()].filter(({ engine_sequence }) => engine_sequence > seq)
  const updates: readonly AccountUpdate[] = [
    { kind: 'orders', records: later(known.orders) },
    { kind: 'fills', records: later(known.fills) },
    { kind: 'positions', records: later(known.positions) },
    { kind: 'balances', records: later(known.balances) },
    { kind: 'settlements', records: later(known.settlements) },
  ]
  return updates.reduce(withUpdate, read)
}

/** Adds an adjustment to its fill. */
export function withAdjustment(known: AccountRecords, { fill_id, adjustment_id }: Adjustment): AccountRecords {
  const fill = known.fills.get(fill_id)
  if (fill === undefined || fill.adjustment_ids.includes(adjustment_id)) return known
  const adjusted = { ...fill, adjustment_ids: [...fill.adjustment_ids, adjustment_id] }
  return { ...known, fills: new Map(known.fills).set(fill_id, adjusted) }
}

/** Returns the orders that can still execute or be canceled, newest first. */
export function workingOrders({ orders }: AccountRecords): readonly Order[] {
  return newestFirst([...orders.values()].filter(isWorking))
}

/** Returns the ended orders, newest first. */
export function endedOrders({ orders }: AccountRecords): readonly Order[] {
  return newestFirst([...orders.values()].filter((order) => !isWorking(order)))
}

function isWorking({ status }: Order): boolean {
  return WORKING_STATUSES.includes(status)
}

function newestFirst(orders: readonly Order[]): readonly Order[] {
  return orders.toSorted((a, b) => b.engine_sequence - a.engine_sequence)
}

function newest<T>(
  known: ReadonlyMap<string, T>,
  changed: readonly T[],
  idOf: (record: T) => string,
  ageOf: (record: T) => number,
): ReadonlyMap<string, T> {
  const next = new Map(known)
  for (const record of changed) {
    const before = next.get(idOf(record))
    if (before === undefined || ageOf(record) >= ageOf(before)) next.set(idOf(record), record)
  }
  return next
}

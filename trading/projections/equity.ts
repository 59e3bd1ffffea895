import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { plus } from '../../primitives/safe-integers.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { EquityPoint } from '../../protocol/resources/account-summary.ts'
import { valueAtMark } from './position.ts'

/** Change of the ledger that one instant knows and the one before does not. */
export type EquityChange = {
  /** Ordinal of the instant, from 1. */
  readonly place: number
  readonly asset_id: string
  /** null: money. */
  readonly outcome_id: string | null
  readonly asset_scale: number
  readonly quantity_scale: number
  readonly amount: number
  readonly deposited: number
}

/** Contracts of one outcome that are held at an instant. */
type Holding = Pick<EquityChange, 'asset_id' | 'asset_scale' | 'quantity_scale'> & {
  readonly outcome_id: string
  readonly quantity: number
}

/** Money in one asset at an instant. */
type Cash = { readonly asset_scale: number; amount: number; deposited: number }

/** Money by asset and holdings of an account at an instant. */
export type EquityState = {
  readonly at: Micros
  readonly cash: ReadonlyMap<string, Readonly<Cash>>
  readonly held: readonly Holding[]
}

/** Adds the changes up, instant by instant. */
export function equityStates(instants: readonly Micros[], changes: readonly EquityChange[]): EquityState[] {
  const cash = new Map<string, Cash>()
  const held = new Map<string, Holding>()
  let next = 0
  return instants.map((at, index) => {
    for (; next < changes.length && changes[next]!.place === index + 1; next += 1) take(changes[next]!, cash, held)
    const copies = new Map([...cash].map(([asset_id, money]) => [asset_id, { ...money }]))
    return { at, cash: copies, held: [...held.values()].filter(({ quantity }) => quantity !== 0) }
  })
}

function take(change: EquityChange, cash: Map<string, Cash>, held: Map<string, Holding>): void {
  const { asset_id, outcome_id, amount, deposited, asset_scale, quantity_scale } = change
  if (outcome_id === null) {
    const known = cash.get(asset_id) ?? { asset_scale, amount: 0, deposited: 0 }
    known.amount = plus(known.amount, amount)
    known.deposited = plus(known.deposited, deposited)
    cash.set(asset_id, known)
    return
  }
  const quantity = plus(held.get(outcome_id)?.quantity ?? 0, amount)
  held.set(outcome_id, { asset_id, outcome_id, asset_scale, quantity_scale, quantity })
}

/** Returns the points of an instant, by asset. @param markOf mark of an outcome at that instant; null: none */
export function equityPoints(
  { at, cash, held }: EquityState,
  markOf: (outcome_id: string) => number | null,
): EquityPoint[] {
  return [...cash]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset_id, { asset_scale, amount, deposited }]) => {
      const decimal = (value: bigint) => fromScaled(value, asset_scale)
      const holdings = held.filter((holding) => holding.asset_id === asset_id)
      const missing = holdings.filter(({ outcome_id }) => markOf(outcome_id) === null)
      const value = holdings
        .filter((holding) => !missing.includes(holding))
        .reduce((sum, holding) => sum + valueAtMark(holding, holding.quantity, markOf(holding.outcome_id)!), 0n)
      const is_known = missing.length === 0
      return {
        at: formatMicros(at),
        asset_id,
        cash: decimal(BigInt(amount)),
        holdings_value: is_known ? decimal(value) : null,
        equity: is_known ? decimal(BigInt(amount) + value) : null,
        net_deposits: decimal(BigInt(deposited)),
        missing_mark_outcome_ids: missing.map(({ outcome_id }) => outcome_id).sort(),
      }
    })
}

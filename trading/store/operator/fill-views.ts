import { fromScaled } from '../../../primitives/scaled.ts'

/** Amounts of one side of a match. */
export type SideAmounts = { readonly quantity: string; readonly notional: string; readonly fee: string }

/** One side of a match, as filled and as adjusted since. */
export type FillSide = {
  readonly fill_id: string
  readonly account_id: string
  readonly order_id: string
  readonly trade_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: string
  readonly price: string
  readonly settlement_id: string
  readonly settlement_state: string
  readonly filled: SideAmounts
  readonly now: SideAmounts
}

type Scales = { readonly asset_scale: number; readonly quantity_scale: number; readonly price_scale: number }
type Amounts = { readonly quantity: number; readonly notional: number; readonly fee: number }
/** Row of fill_sides.sql. */
export type FillSideRow = Omit<FillSide, 'price' | 'filled' | 'now'> &
  Amounts & {
    readonly price: number
    readonly quantity_delta: number
    readonly notional_delta: number
    readonly fee_delta: number
    readonly terms: Scales
  }

/** Shows a side of a match in decimals. */
export function fillSide({ terms, price, quantity, notional, fee, ...row }: FillSideRow): FillSide {
  const { quantity_delta, notional_delta, fee_delta, ...named } = row
  const now = { quantity: quantity + quantity_delta, notional: notional + notional_delta, fee: fee + fee_delta }
  return {
    ...named,
    price: fromScaled(BigInt(price), terms.price_scale),
    filled: shown({ quantity, notional, fee }, terms),
    now: shown(now, terms),
  }
}

function shown({ quantity, notional, fee }: Amounts, { asset_scale, quantity_scale }: Scales): SideAmounts {
  return {
    quantity: fromScaled(BigInt(quantity), quantity_scale),
    notional: fromScaled(BigInt(notional), asset_scale),
    fee: fromScaled(BigInt(fee), asset_scale),
  }
}

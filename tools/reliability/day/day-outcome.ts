import type { Pool } from '../../../trading/store/create-pool.ts'

/** Result of a day, in lines that do not depend on which process was killed. Ids and times of settlements are left out. */
export type DayOutcome = {
  readonly balances: readonly string[]
  readonly positions: readonly string[]
  readonly settlements: readonly string[]
  readonly orders: readonly string[]
  readonly markets: readonly string[]
}

// The order in which positions are paid is nobody's promise, so the house's average and P&L on the way to 0 are left out.
const SQL: { readonly [table in keyof DayOutcome]: string } = {
  balances: `
    SELECT concat_ws(' ', account_id, asset_id, total, reserved, withdrawal_hold, pending_settlement_debit, pending_settlement_credit) AS line
    FROM trading.balance`,
  positions: `
    SELECT concat_ws(' ', account_id, outcome_id, net_quantity, settled_quantity,
                     CASE WHEN account_id NOT LIKE 'acct\\_house\\_%' THEN concat_ws(' ', average_entry_price, realized_pnl) END,
                     pending_short_credit, order_reserve, requirement, reserved_sell_quantity) AS line
    FROM trading.position`,
  settlements: `
    SELECT concat_ws(' ', account_id, kind, outcome_id, side, quantity, notional, fee, resolution_id, state) AS line
    FROM trading.settlement`,
  orders: `
    SELECT concat_ws(' ', order_id, status, terminal_reason, filled_quantity) AS line FROM trading.orders`,
  markets: `
    SELECT concat_ws(' ', market_id, status) AS line FROM trading.market
    UNION ALL
    SELECT concat_ws(' ', resolution_id, market_id, revision, verdict, finality, paid_count, paid_at IS NOT NULL) FROM trading.resolution`,
}

export async function dayOutcome(pool: Pool): Promise<DayOutcome> {
  const lines = async (sql: string) => (await pool.query<{ line: string }>(sql)).rows.map(({ line }) => line).sort()
  return {
    balances: await lines(SQL.balances),
    positions: await lines(SQL.positions),
    settlements: await lines(SQL.settlements),
    orders: await lines(SQL.orders),
    markets: await lines(SQL.markets),
  }
}

/** Lines that one day has and the other has not, as often as they stand there. */
export function differencesOf(undisturbed: DayOutcome, disturbed: DayOutcome): readonly string[] {
  return (Object.keys(SQL) as (keyof DayOutcome)[]).flatMap((table) => [
    ...without(undisturbed[table], disturbed[table]).map((line) => `${table}: missing ${line}`),
    ...without(disturbed[table], undisturbed[table]).map((line) => `${table}: found ${line}`),
  ])
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}

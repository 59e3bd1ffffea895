import { ENGINE_CORE, type EngineCore } from '../../../trading/service/engine-core.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

/** Invariants that do not hold, with what breaks them. */
export async function violations(pool: Pool) {
  return (await auditTrading(pool)).filter((one) => one.violations.length > 0)
}

/** A core with a planted fault: its table refuses the row of an order at 0.13. */
export const REFUSED_ROWS: EngineCore = {
  ...ENGINE_CORE,
  finish: (state, now, changes) => {
    const rows = ENGINE_CORE.finish(state, now, changes)
    const orders = rows.orders.map((row) => (row.limit_price === '0.13' ? { ...row, filled_quantity: -1 } : row))
    return { ...rows, orders }
  },
}

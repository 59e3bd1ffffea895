import {
  compareSizes,
  type PublishedSizes,
  type SizeDifference,
  type SizesOfFills,
} from '../public-market/compare-sizes.ts'
import { type AuditedInvariant, auditTrading } from './audit-trading.ts'
import type { Pool } from './create-pool.ts'
import { prepared } from './read-sql.ts'

const SIZES = prepared('sizes_of_fills')

/** Result of an operator's check of our own markets. */
export type OwnMarketCheck = {
  readonly ok: boolean
  /** P1: trades are the fold of fills; P2: open interest is. */
  readonly invariants: readonly AuditedInvariant[]
  /** Published sizes that differ from the fold of the fills at their instant. */
  readonly differences: readonly SizeDifference[]
}

/**
 * Checks that the public trades, volume and open interest of our own markets are the fold of their accounts' fills. Reads only.
 * @param published sizes to check, such as `metrics` of the API's markets; the audit itself needs none
 */
export async function checkOwnMarkets(pool: Pool, published: readonly PublishedSizes[] = []): Promise<OwnMarketCheck> {
  const invariants = await auditTrading(pool, { invariant_ids: ['P1', 'P2'] })
  const differences: SizeDifference[] = []
  for (const one of published) {
    const values = [one.market_id, one.observed_at]
    const [fills] = (await pool.query<SizesOfFills>({ ...SIZES, values })).rows
    const nothing = { terms: { quantity_scale: 0 }, volume: '0', open_interest: '0' }
    differences.push(...compareSizes(one, fills ?? nothing))
  }
  const holds = invariants.every(({ violations }) => violations.length === 0)
  return { ok: holds && differences.length === 0, invariants, differences }
}

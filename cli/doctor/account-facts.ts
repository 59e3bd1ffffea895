import type { AccountFacts } from '../../client/doctor/check.ts'
import type { Settings } from '../../service/configuration.ts'
import { withTrading } from '../../service/trading/with-trading.ts'

/** Reads the fold of all accounts' fills, by outcome, from the operator's database. */
export async function accountFacts(settings: Settings, as_of: string): Promise<AccountFacts> {
  return withTrading(settings, async ({ reads }) => ({ outcomes: await reads.foldFills(as_of) }), { by_index: true })
}

import type { AccountFacts } from '../../client/doctor/check.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { Settings } from '../../service/configuration.ts'
import { withTrading } from '../../service/trading/with-trading.ts'
import type { PublishedSizes } from '../../trading/public-market/compare-sizes.ts'
import { checkOwnMarkets } from '../../trading/store/check-own-markets.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'

/** Reads the fold of all accounts' fills, by outcome, from the operator's database, and compares the sizes that markets state. */
export async function accountFacts(
  settings: Settings,
  as_of: string,
  markets: readonly Market[],
): Promise<AccountFacts> {
  const published = markets.flatMap(publishedSizes)
  return withTrading(
    settings,
    async ({ pool, reads }) => ({
      outcomes: await reads.foldFills(as_of),
      sizes: (await checkOwnMarkets(pool, published)).differences,
    }),
    { by_index: true, only_existing: true },
  )
}

/** Returns the sizes of a market listed here; none before it states any. */
function publishedSizes({ market_id, metrics, venue_mapping }: Market): PublishedSizes[] {
  if (venue_mapping?.venue_id !== OWN_VENUE || metrics?.observed_at == null) return []
  const { observed_at, volume_24h = null, open_interest = null } = metrics
  return [{ market_id, observed_at, volume_24h, open_interest }]
}

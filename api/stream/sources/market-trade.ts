import { TOPICS } from '../../../protocol/stream/topics.ts'
import { isTrade } from '../../../warehouse/read/is-trade.ts'
import type { FeedCommit, Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket } from './market-checks.ts'
import type { TopicSource } from './topic-source.ts'

type Ports = { readonly reader: Pick<Reader, 'catalog'>; readonly project: StreamProjections }

/**
 * market.trade: publishes the trades and corrections of markets whose venue permits to publish single trades. A correction names the
 * trade it supersedes; a void annuls it. The report of a trade that another feed had reported is no trade, and a late report was never
 * the current one: the next message of the market continues from the one before them.
 */
export function marketTradeSource({ reader, project }: Ports): TopicSource<FeedCommit> {
  return {
    topic: TOPICS['market.trade'],
    check([market_id]) {
      requirePublicMarket(reader, market_id!, project.tradesArePublic, 'single trades')
    },
    eventsOf: (commit, head_before, wanted) =>
      commit.rows.flatMap(({ row, seq, prev_seq }) => {
        const key = [String(row.market_id)]
        if (!wanted(key) || !isTrade(row) || !project.tradesArePublic(String(row.venue_id))) return []
        const kind = row.correction_kind === 'void' ? 'void' : 'trade'
        const places = { seq, prev_seq: [head_before, prev_seq] }
        return [{ key, kind, ...places, published_at: String(row.published_at), data: () => project.trade(row) }]
      }),
    statesOf: () => [],
  }
}

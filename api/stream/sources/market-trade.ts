import { TOPICS } from '../../../protocol/stream/topics.ts'
import type { FeedCommit, Reader } from '../../../warehouse/reader/reader.ts'
import type { StreamProjections } from '../projections.ts'
import { requirePublicMarket } from './market-checks.ts'
import type { TopicSource } from './topic-source.ts'

type Ports = { readonly reader: Pick<Reader, 'catalog'>; readonly project: StreamProjections }

/**
 * market.trade: publishes every row of public_trade of markets whose venue permits to publish single trades. A correction names the
 * trade it supersedes; a void annuls it.
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
        if (!wanted(key) || !project.tradesArePublic(String(row.venue_id))) return []
        const kind = row.correction_kind === 'void' ? 'void' : 'trade'
        const places = { seq, prev_seq: [head_before, prev_seq] }
        return [{ key, kind, ...places, published_at: String(row.published_at), data: () => project.trade(row) }]
      }),
    statesOf: () => [],
  }
}

import { useEffect, useState } from 'preact/hooks'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { ApiError } from '../../data/api-error.ts'
import { connection, follow, liveApi } from '../../data/live.ts'
import { bookAfter } from '../data/book.ts'

/** Book of an outcome; null: not read yet or not available. */
export type HeldBook = { readonly book: OrderBook | null; readonly error: ApiError | null }

const NOTHING: HeldBook = { book: null, error: null }
/** Polling interval while the stream is lost. */
const AGAIN_MS = 3000

/** Reads the book of one outcome, applies streamed changes, and reads it again after a gap. */
export function useBook(market_id: string, outcome_id: string): HeldBook {
  const [held, hold] = useState<HeldBook>(NOTHING)
  useEffect(() => {
    hold(NOTHING)
    const ending = new AbortController()
    const take = (update: OrderBook, kind: string) =>
      hold(({ book }) => ({ book: bookAfter(book, update, kind), error: null }))
    const read = async () => {
      const path = `/markets/${market_id}/orderbook`
      take((await liveApi(null).get<OrderBook>(path, { outcome_id }, ending.signal)).data, 'read')
    }
    const readAgain = () =>
      void read().catch((error: unknown) => {
        if (!ending.signal.aborted && error instanceof ApiError) hold(({ book }) => ({ book, error }))
      })
    const onData = (data: unknown, kind: string) => take(data as OrderBook, kind)
    readAgain()
    const end = follow('market.orderbook', { market_id, outcome_id }, { onData, onGap: readAgain })
    const timer = setInterval(() => {
      if (connection.get() !== 'live' && !document.hidden) readAgain()
    }, AGAIN_MS)
    return () => {
      ending.abort()
      clearInterval(timer)
      end()
    }
  }, [market_id, outcome_id])
  return held
}

import { useEffect, useState } from 'preact/hooks'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import type { Api } from './api-client.ts'
import { type Loaded, useCell, useLoaded } from './hooks.ts'
import { millisOf } from './instant-text.ts'
import { follow, gaps } from './live.ts'
import { getMarketPrice } from './reads.ts'

/** Returns the latest quotes and marks of a market, read or streamed; null if it was never quoted. */
export function useMarketPrice(
  api: Api,
  market_id: string,
): { readonly read: Loaded<MarketPrice | null>; readonly price: MarketPrice | null } {
  const read = useLoaded(
    `ticker ${market_id} ${api.as_of}`,
    (signal) => getMarketPrice(api, market_id, signal),
    useCell(gaps),
  )
  return { read, price: newerPrice(read.data, useTicker(api, market_id)) }
}

/** Returns the newest streamed price of a market; null in the past. */
function useTicker(api: Api, market_id: string): MarketPrice | null {
  const [held, hold] = useState<MarketPrice | null>(null)
  useEffect(() => {
    hold(null)
    if (api.as_of !== null) return
    const onData = (data: unknown) => hold(data as MarketPrice)
    return follow('market.ticker', { market_id }, { onData, onGap: () => undefined })
  }, [market_id, api.as_of])
  return held?.market_id === market_id && api.as_of === null ? held : null
}

function newerPrice(read: MarketPrice | null, streamed: MarketPrice | null): MarketPrice | null {
  if (read === null || streamed === null) return streamed ?? read
  return millisOf(streamed.published_at) >= millisOf(read.published_at) ? streamed : read
}

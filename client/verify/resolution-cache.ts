import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { Resolution } from '../../protocol/resources/resolution.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Resolutions that settled legs rest on. */
export type ResolutionCache = {
  /** Returns the resolution with an evidence as known at an instant; null: there is none. */
  resolution(market_id: string, evidence_id: string, at: Micros): Promise<Resolution | null>
}

/**
 * Creates a cache of resolutions. The answer as of an instant changes only when one of the market is published, so each is asked for
 * once between two of them.
 */
export function createResolutionCache(api: PublicApi): ResolutionCache {
  const published = new Map<string, Promise<readonly Micros[]>>()
  const kept = new Map<string, Promise<Resolution | null>>()
  const publishedOf = (market_id: string) => {
    const asked = published.get(market_id) ?? readPublished(api, market_id)
    published.set(market_id, asked)
    return asked
  }
  return {
    async resolution(market_id, evidence_id, at) {
      const known = (await publishedOf(market_id)).filter((instant) => instant <= at).length
      const key = `${market_id} ${evidence_id} ${known}`
      const ask = () =>
        api.find<Resolution>(`/markets/${market_id}/resolution`, { evidence_id, as_of: formatMicros(at) })
      const asked = kept.get(key) ?? ask()
      kept.set(key, asked)
      const found = await asked
      // A row that only confirms a resolution is not listed, and may answer for a later instant alone.
      return found !== null && toMicros(found.published_at) > at ? ask() : found
    },
  }
}

async function readPublished(api: PublicApi, market_id: string): Promise<readonly Micros[]> {
  const all = await api.list<Resolution>(`/markets/${market_id}/resolution/history`)
  return all.map(({ published_at }) => toMicros(published_at))
}

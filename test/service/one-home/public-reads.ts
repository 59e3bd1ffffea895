import type { Running } from './running.ts'

/** Reads of a service, as anybody makes them. */
export type PublicReads = {
  /** Returns what a path answers; null: it is refused, as while the service is behind its warehouse. */
  read<T>(path: string): Promise<T | null>
  /** Returns the items of a list; none where it is refused. */
  list<T>(path: string): Promise<readonly T[]>
}

/** Returns reads of the service that runs in a home at the time of each. */
export function publicReads({ service }: Running): PublicReads {
  const read = async <T>(path: string): Promise<T | null> => {
    const answer = await fetch(`${service().ready.base_url}/v1${path}`)
    return answer.ok ? ((await answer.json()) as { data: T }).data : null
  }
  return { read, list: async <T>(path: string) => (await read<T[]>(path)) ?? [] }
}

/** Whether every market of one venue has a rating; the program rates all of them in one run. */
export async function isRated({ read, list }: PublicReads): Promise<boolean> {
  const markets = await list<{ market_id: string }>('/markets?venue_id=kalshi&limit=3')
  const ratings = await Promise.all(
    markets.map(({ market_id }) => read<{ rating_id: string | null }>(`/markets/${market_id}/rating`)),
  )
  return ratings.length > 0 && ratings.every((rating) => rating !== null && rating.rating_id !== null)
}

/** Whether an event has a severity assessment, and the severity index a value. */
export async function isAssessed({ read, list }: PublicReads): Promise<boolean> {
  const [event] = await list<{ event_id: string }>('/events?venue_id=gdacs&limit=1')
  if (event === undefined) return false
  const assessment = await read<{ assessment_id: string | null }>(
    `/events/${event.event_id}/severity?assessment_type=observed`,
  )
  const [index] = await list<{ severity_index_id: string }>('/severity-indexes')
  if (index === undefined || assessment === null || assessment.assessment_id === null) return false
  return (await read(`/severity-indexes/${index.severity_index_id}/value`)) !== null
}

/** Whether somebody has traded in a market listed here. */
export async function isTraded({ list }: PublicReads): Promise<boolean> {
  const markets = await list<{ market_id: string }>('/markets?venue_id=tidemark&limit=10')
  const tapes = await Promise.all(markets.map(({ market_id }) => list(`/markets/${market_id}/trades?limit=1`)))
  return tapes.some((trades) => trades.length > 0)
}

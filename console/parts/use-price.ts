import { useEffect, useState } from 'preact/hooks'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Api } from '../data/api-client.ts'
import { type Loaded, useCell, useLoaded } from '../data/hooks.ts'
import { gaps, live_levels } from '../data/live.ts'
import { newest } from '../data/newest.ts'
import { getPrice, type Price } from '../data/reads.ts'

/**
 * Returns the latest level of an index, read or streamed. Only the read says how old a level may be, so it is repeated when the stream
 * brings the first level.
 */
export function usePrice(
  api: Api,
  index_id: string,
): { readonly read: Loaded<Price | null>; readonly latest: IndexObservation | null } {
  const [count, setCount] = useState(0)
  const again = `${useCell(gaps)} ${count}`
  const read = useLoaded(`price ${index_id} ${api.as_of}`, (signal) => getPrice(api, index_id, signal), again)
  const streamed = useCell(live_levels).get(index_id)
  const had_none = read.state === 'ready' && read.data === null
  useEffect(() => {
    if (had_none && streamed !== undefined) setCount((before) => before + 1)
  }, [had_none, streamed])
  return { read, latest: newest(read.data?.level ?? null, streamed) }
}

import { useEffect, useState } from 'preact/hooks'
import type { TopicName } from '../../protocol/stream/topics.ts'
import type { Api } from '../data/api-client.ts'
import { type Loaded, useLoaded } from '../data/hooks.ts'
import { follow } from '../data/live.ts'

/** Fields that tell two current records apart; null in place of a missing record. */
type InForce = {
  readonly published_at: string | null
  readonly reason_codes?: readonly string[]
  readonly assessment_type?: string
}

type Followed<T> = {
  readonly api: Api
  readonly topic: Extract<TopicName, 'market.rating' | 'event.severity' | 'severity_index.value'>
  readonly filters: Readonly<Record<string, string>>
  /** Key of the read, without the instant. */
  readonly key: string
  readonly load: (signal: AbortSignal) => Promise<T>
}

/** One act publishes several records at once; they are read together after this time. */
const TOGETHER_MS = 150

/**
 * Reads the current record of a subject, again with every streamed record of it: the last record need not be the current one, which only
 * REST knows. `news` counts those reads, so that other reads of the subject can follow. Nothing is followed in the past.
 */
export function useInForce<T extends InForce | null>({
  api,
  topic,
  filters,
  key,
  load,
}: Followed<T>): {
  readonly read: Loaded<T>
  readonly news: number
} {
  const [news, setNews] = useState(0)
  const [streamed, setStreamed] = useState<readonly InForce[]>([])
  const read = useLoaded(`${key} ${api.as_of}`, load, news)
  useEffect(() => {
    if (api.as_of !== null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setNews((count) => count + 1), TOGETHER_MS)
    }
    const onData = (data: unknown, kind: string) =>
      kind === 'snapshot' ? setStreamed((known) => [...known, data as InForce]) : readAgain()
    const leave = follow(topic, filters, { onData, onGap: readAgain })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [key, api.as_of])
  // A record may have been published between the read and the start of the stream.
  useEffect(() => {
    if (read.state !== 'ready' || streamed.length === 0) return
    setStreamed([])
    if (streamed.some((one) => isOther(one, read.data))) setNews((count) => count + 1)
  }, [streamed, read.data])
  return { read, news }
}

function isOther(streamed: InForce, read: InForce | null): boolean {
  if (read === null) return true
  if (streamed.assessment_type !== read.assessment_type) return false
  return streamed.published_at !== read.published_at || streamed.reason_codes?.join() !== read.reason_codes?.join()
}

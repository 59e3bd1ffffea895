import { useEffect, useState } from 'preact/hooks'
import type { TopicName } from '../../protocol/stream/topics.ts'
import type { Api } from '../data/api-client.ts'
import { type Loaded, useLoaded } from '../data/hooks.ts'
import { follow } from '../data/live.ts'

/** By what a record in force is told from another one; what is not there has null. */
type InForce = {
  readonly published_at: string | null
  readonly reason_codes?: readonly string[]
  readonly assessment_type?: string
}

type Followed<T> = {
  readonly api: Api
  readonly topic: Extract<TopicName, 'market.rating' | 'event.severity' | 'severity_index.value'>
  readonly filters: Readonly<Record<string, string>>
  /** Of what is read, without the instant. */
  readonly key: string
  readonly load: (signal: AbortSignal) => Promise<T>
}

/** Records of one act come together, and are read together. */
const TOGETHER_MS = 150

/**
 * What is in force of a subject, read again with every record that the stream tells of it: a record is not in force by being the
 * last, and REST says which one is. `news` counts those reads, for what else is read of the subject. The past does not move.
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
  const [told, setTold] = useState<readonly InForce[]>([])
  const read = useLoaded(`${key} ${api.as_of}`, load, news)
  useEffect(() => {
    if (api.as_of !== null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setNews((count) => count + 1), TOGETHER_MS)
    }
    const onData = (data: unknown, kind: string) =>
      kind === 'snapshot' ? setTold((known) => [...known, data as InForce]) : readAgain()
    const leave = follow(topic, filters, { onData, onGap: readAgain })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [key, api.as_of])
  // Between the answer that was read and the beginning of the stream there may have been a record.
  useEffect(() => {
    if (read.state !== 'ready' || told.length === 0) return
    setTold([])
    if (told.some((one) => isOther(one, read.data))) setNews((count) => count + 1)
  }, [told, read.data])
  return { read, news }
}

function isOther(told: InForce, read: InForce | null): boolean {
  if (read === null) return true
  if (told.assessment_type !== read.assessment_type) return false
  return told.published_at !== read.published_at || told.reason_codes?.join() !== read.reason_codes?.join()
}

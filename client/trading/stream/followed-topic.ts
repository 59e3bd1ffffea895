import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import type { Gap } from '../../../protocol/stream/server-messages.ts'
import { resourceId, type StreamedResource, VersionedResources } from './topic-resources.ts'

/** What a follower of a topic is told: what is, then each change of it; never the same twice, never out of order. */
export type TopicChange =
  | {
      readonly type: 'snapshot'
      readonly epoch: string
      readonly seq: number
      /** false: there is more; it is read from REST. */
      readonly complete: boolean
      readonly resources: readonly StreamedResource[]
    }
  | {
      readonly type: 'event'
      readonly kind: string
      readonly event_id: string
      readonly seq: number
      readonly engine_sequence: number
      readonly projection_version: number
      readonly data: StreamedResource
    }
  /** Messages were lost: what was there counts no longer, and a snapshot follows. */
  | { readonly type: 'gap'; readonly from_seq: number; readonly to_seq: number; readonly reason: Gap['reason'] }

export type TopicListener = (change: TopicChange) => void

/** A message of a subscription, as far as it is looked at. */
export type TopicMessage = {
  readonly type: string
  readonly [field: string]: unknown
}

/** taken: it was, or it is a repetition. missing: something before it was lost on the way; subscribe again from the position. */
export type Heard = 'taken' | 'missing'

/**
 * One topic as a client has it, over any number of connections (docs/stream.md, "Follow"): repetitions are dropped, what is missing is
 * noticed, and of each resource only increasing versions are told.
 */
export class FollowedTopic {
  readonly topic: PrivateTopicName
  readonly market_id: string | null
  readonly #listener: TopicListener
  readonly #versions = new VersionedResources()
  #epoch: string | null
  #position: number
  /** Resources of a snapshot that is on its way; null: none is. */
  #snapshot: StreamedResource[] | null = null

  constructor(
    topic: PrivateTopicName,
    listener: TopicListener,
    from: { readonly market_id: string | null; readonly resume: { epoch: string; after_seq: number } | null },
  ) {
    this.topic = topic
    this.market_id = from.market_id
    this.#listener = listener
    this.#epoch = from.resume?.epoch ?? null
    this.#position = from.resume?.after_seq ?? 0
  }

  get position(): number {
    return this.#position
  }

  /** Where to go on; null: at the beginning. A snapshot that came in part is asked for again. */
  get resume(): { readonly epoch: string; readonly after_seq: number } | null {
    return this.#epoch === null || this.#snapshot !== null ? null : { epoch: this.#epoch, after_seq: this.#position }
  }

  hear(message: TopicMessage): Heard {
    if (message.type === 'subscribed') this.#begin(message)
    else if (message.type === 'gap') this.#lose(message)
    else if (message.type === 'snapshot') this.#show(message)
    else if (message.type === 'snapshot_end') this.#showAll(message)
    else if (message.type === 'event') return this.#advance(message)
    return 'taken'
  }

  /** A heartbeat says how far the service is; behind it, something was lost. */
  hearPosition(last_seq: number): Heard {
    return this.#snapshot === null && last_seq > this.#position ? 'missing' : 'taken'
  }

  #begin({ mode, epoch, seq }: TopicMessage): void {
    this.#epoch = epoch as string
    if (mode !== 'snapshot') return
    this.#position = seq as number
    this.#forget()
  }

  #lose({ from_seq, to_seq, reason }: TopicMessage): void {
    this.#forget()
    this.#position = to_seq as number
    this.#listener({
      type: 'gap',
      from_seq: from_seq as number,
      to_seq: to_seq as number,
      reason: reason as Gap['reason'],
    })
  }

  #forget(): void {
    this.#versions.clear()
    this.#snapshot = []
  }

  #show({ data, projection_version }: TopicMessage): void {
    const resource = data as StreamedResource
    this.#versions.put(resourceId(this.topic, resource), projection_version as number, resource)
    this.#snapshot?.push(resource)
  }

  #showAll({ epoch, seq, complete }: TopicMessage): void {
    const resources = this.#snapshot ?? []
    this.#snapshot = null
    this.#position = Math.max(this.#position, seq as number)
    const facts = { epoch: epoch as string, seq: seq as number, complete: complete as boolean }
    this.#listener({ type: 'snapshot', ...facts, resources })
  }

  #advance(message: TopicMessage): Heard {
    const [seq, prev_seq] = [message.seq as number, message.prev_seq as number]
    if (seq <= this.#position) return 'taken'
    if (prev_seq > this.#position) return 'missing'
    this.#position = seq
    const data = message.data as StreamedResource
    const projection_version = message.projection_version as number
    if (!this.#versions.put(resourceId(this.topic, data), projection_version, data)) return 'taken'
    const { kind, event_id, engine_sequence } = message as unknown as Extract<TopicChange, { type: 'event' }>
    this.#listener({ type: 'event', kind, event_id, seq, engine_sequence, projection_version, data })
    return 'taken'
  }
}

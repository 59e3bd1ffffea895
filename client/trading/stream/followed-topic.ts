import { callBack } from '../../platform.ts'
import {
  type PrivateTopicName,
  type Resume,
  resourceId,
  type StreamedResource,
  VersionedResources,
} from './topic-resources.ts'

/** Callbacks of a follower: the state, then each change, without repetition and in order. */
export type TopicChange =
  | {
      readonly type: 'snapshot'
      readonly epoch: string
      readonly seq: number
      /** false: the snapshot is partial; read the rest from REST. */
      readonly complete: boolean
      readonly resources: readonly StreamedResource[]
      /** Cursor behind it, to continue after a restart. */
      readonly resume: Resume
    }
  | {
      readonly type: 'event'
      readonly kind: string
      readonly event_id: string
      readonly seq: number
      readonly engine_sequence: number
      readonly projection_version: number
      readonly data: StreamedResource
      /** Cursor behind it, to continue after a restart. */
      readonly resume: Resume
    }
  /** Messages were lost: the state is void and a snapshot follows. */
  | { readonly type: 'gap'; readonly from_seq: number; readonly to_seq: number; readonly reason: GapReason }

/** Why messages were lost. */
export type GapReason = 'slow_consumer' | 'retention' | 'epoch_changed'

export type TopicListener = (change: TopicChange) => void

/** Used fields of a subscription's messages. */
export type TopicMessage = {
  readonly type: string
  readonly [field: string]: unknown
}

/** taken: applied, or a repetition. missing: an earlier message was lost; subscribe again from the cursor. */
export type Heard = 'taken' | 'missing'

/**
 * State of one topic over any number of connections (docs/stream.md, "Follow"): drops repetitions, detects missing messages, and publishes
 * only increasing versions of each resource.
 */
export class FollowedTopic {
  readonly topic: PrivateTopicName
  readonly filters: Readonly<Record<string, string>>
  readonly #listener: TopicListener
  readonly #versions = new VersionedResources()
  #epoch: string | null
  #position: number
  /** Resources of an incomplete snapshot; null: none is being received. */
  #snapshot: StreamedResource[] | null = null

  constructor(
    topic: PrivateTopicName,
    listener: TopicListener,
    from: { readonly market_id: string | null; readonly resume: Resume | null },
  ) {
    this.topic = topic
    this.filters = from.market_id === null ? {} : { market_id: from.market_id }
    this.#listener = listener
    this.#epoch = from.resume?.epoch ?? null
    this.#position = from.resume?.after_seq ?? 0
  }

  get position(): number {
    return this.#position
  }

  /** Cursor to resume from; null: from a snapshot. An incomplete snapshot is requested again. */
  get resume(): Resume | null {
    return this.#epoch === null || this.#snapshot !== null ? null : this.#cursor()
  }

  #cursor(): Resume {
    return { epoch: this.#epoch ?? '', after_seq: this.#position }
  }

  hear(message: TopicMessage): Heard {
    if (message.type === 'subscribed') this.#begin(message)
    else if (message.type === 'gap') this.#lose(message)
    else if (message.type === 'snapshot') this.#show(message)
    else if (message.type === 'snapshot_end') this.#showAll(message)
    else if (message.type === 'event') return this.#advance(message)
    return 'taken'
  }

  /** Compares with a heartbeat's last seq; a cursor behind it means lost messages. */
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
    const lost = { from_seq: from_seq as number, to_seq: to_seq as number, reason: reason as GapReason }
    callBack(this.#listener, { type: 'gap', ...lost })
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
    callBack(this.#listener, { type: 'snapshot', ...facts, resources, resume: this.#cursor() })
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
    const facts = { kind, event_id, seq, engine_sequence, projection_version }
    callBack(this.#listener, { type: 'event', ...facts, data, resume: this.#cursor() })
    return 'taken'
  }
}

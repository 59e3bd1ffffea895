import { PUBLIC_TOPICS, type PublicTopicName, type PublicTopics } from '../contract/topics.ts'
import type { TidemarkError } from '../tidemark-error.ts'
import type { GapReason, Heard, TopicMessage } from '../trading/stream/followed-topic.ts'
import type { Follower } from '../trading/stream/stream-connection.ts'
import type { Resume } from '../trading/stream/topic-resources.ts'

/** Change of a public topic: its state, an event after it, or that messages between two numbers were lost. */
export type PublicChange<T extends PublicTopicName = PublicTopicName> = T extends PublicTopicName
  ? State<T> | Event<T> | Lost<T>
  : never
/** Replaces what was known: of the topic, or of one index or market if the topic is followed without a filter. */
type State<T extends PublicTopicName> = {
  readonly type: PublicTopics[T]['has_snapshot'] extends true ? 'snapshot' : never
  readonly topic: T
  readonly seq: number
  readonly published_at: string
  readonly data: PublicTopics[T]['data']
}
type Event<T extends PublicTopicName> = {
  readonly type: 'event'
  readonly topic: T
  readonly kind: PublicTopics[T]['kind']
  readonly event_id: string
  readonly seq: number
  readonly published_at: string
  readonly data: PublicTopics[T]['data']
}
/** A snapshot follows, if the topic has one. */
type Lost<T extends PublicTopicName> = {
  readonly type: 'gap'
  readonly topic: T
  readonly from_seq: number
  readonly to_seq: number
  readonly reason: GapReason
}

type Queued<T extends PublicTopicName> = { readonly change: PublicChange<T>; readonly resume: Resume }

/** Changes that wait for a slow consumer; after more, all are dropped, and a gap is given. */
export const QUEUE_MAX = 10_000

/** Follows one topic by the rules of docs/stream.md ("Follow"), and holds its changes until they are taken. */
export class FollowedPublicTopic<T extends PublicTopicName> implements Follower {
  readonly topic: T
  readonly filters: Readonly<Record<string, string>>
  #epoch: string | null
  #position: number
  #queue: Queued<T>[] = []
  #taken: Resume | null
  #end: { readonly error: unknown } | 'closed' | null = null
  #wake: () => void = () => undefined

  constructor(topic: T, filters: Readonly<Record<string, string>>, from: Resume | null) {
    this.topic = topic
    this.filters = filters
    this.#epoch = from?.epoch ?? null
    this.#position = from?.after_seq ?? 0
    this.#taken = from
  }

  subscribeFrom(): Resume | null {
    return this.#epoch === null ? null : { epoch: this.#epoch, after_seq: this.#position }
  }

  /** Cursor after the last change that was taken; null: none was. */
  get taken(): Resume | null {
    return this.#taken
  }

  hear(message: TopicMessage): Heard {
    if (message.type === 'subscribed') this.#begin(message)
    else if (message.type === 'gap') this.#lose(message)
    else if (message.type === 'snapshot') return this.#show(message)
    else if (message.type === 'event') return this.#advance(message)
    return 'taken'
  }

  hearPosition(last_seq: number): Heard {
    return last_seq > this.#position ? 'missing' : 'taken'
  }

  fail(problem: TidemarkError): void {
    this.end({ error: problem })
  }

  /** Ends the changes: with an error, or after those that wait. */
  end(how: { readonly error: unknown } | 'closed'): void {
    this.#end ??= how
    this.#wake()
  }

  /** Returns the next change; null: there is none after it. @throws the error that ended the topic */
  async next(): Promise<PublicChange<T> | null> {
    for (;;) {
      const next = this.#queue.shift()
      if (next !== undefined) {
        this.#taken = next.resume
        return next.change
      }
      if (this.#end === 'closed') return null
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }

  #begin({ mode, epoch, seq }: TopicMessage): void {
    this.#epoch = epoch as string
    if (mode === 'snapshot') this.#position = seq as number
  }

  #lose({ from_seq, to_seq, reason }: TopicMessage): void {
    this.#position = to_seq as number
    this.#put({ type: 'gap', topic: this.topic, from_seq, to_seq, reason })
  }

  #show({ seq, published_at, data }: TopicMessage): Heard {
    this.#position = Math.max(this.#position, seq as number)
    return this.#put({ type: 'snapshot', topic: this.topic, seq, published_at, data })
  }

  #advance({ seq, prev_seq, kind, event_id, published_at, data }: TopicMessage): Heard {
    if ((seq as number) <= this.#position) return 'taken'
    if (PUBLIC_TOPICS[this.topic].is_chained && (prev_seq as number) > this.#position) return 'missing'
    this.#position = seq as number
    return this.#put({ type: 'event', topic: this.topic, kind, event_id, seq, published_at, data })
  }

  /** Queues a change; too many are a gap, after which the topic begins with its state. */
  #put(change: object): Heard {
    const resume = { epoch: this.#epoch ?? '', after_seq: this.#position }
    const is_full = this.#queue.length >= QUEUE_MAX
    if (is_full) {
      const from_seq = this.#taken?.after_seq ?? 0
      const lost = { type: 'gap', topic: this.topic, from_seq, to_seq: this.#position, reason: 'slow_consumer' }
      this.#queue = [{ change: lost as PublicChange<T>, resume }]
      this.#epoch = null
    } else this.#queue.push({ change: change as PublicChange<T>, resume })
    this.#wake()
    return is_full ? 'missing' : 'taken'
  }
}

import type { FollowedTopic, Heard, TopicMessage } from './followed-topic.ts'
import type { Follower } from './stream-connection.ts'
import type { PrivateTopicName, Resume } from './topic-resources.ts'

/** Means of a subscription: subscribe again from `subscribeFrom`, and end it. */
type Means = { readonly again: () => void; readonly end: () => void }

/**
 * One subscription that several listeners share, because a connection may subscribe to a topic once. Each listener keeps a cursor of its own.
 * A round brings some of them up to date, with a snapshot or from the oldest cursor; rounds are repeated until all of them are served.
 */
export class SharedTopic implements Follower {
  readonly topic: PrivateTopicName
  readonly filters: Readonly<Record<string, string>>
  readonly #members = new Set<FollowedTopic>()
  readonly #means: Means
  /** Members that receive the messages of this round. */
  #served: ReadonlySet<FollowedTopic> = new Set()
  #asked: Resume | null = null
  #epoch: string | null = null
  #phase: 'idle' | 'asked' | 'snapshot' | 'live' = 'idle'

  constructor({ topic, filters }: Pick<FollowedTopic, 'topic' | 'filters'>, means: Means) {
    this.topic = topic
    this.filters = filters
    this.#means = means
  }

  /** Adds a listener; a round that runs is finished first. */
  add(member: FollowedTopic): this {
    this.#members.add(member)
    if (this.#phase === 'live') this.#means.again()
    return this
  }

  /** Removes a listener; the last one ends the subscription, as soon as it has an id to end it by. */
  remove(member: FollowedTopic): void {
    const is_last = this.#members.delete(member) && this.#members.size === 0
    if (is_last && this.#phase !== 'asked') this.#means.end()
  }

  subscribeFrom(): Resume | null {
    this.#phase = 'asked'
    this.#served = new Set()
    this.#asked = this.#neediest()
    return this.#asked
  }

  hear(message: TopicMessage): Heard {
    if (message.type === 'subscribed') this.#begin(message)
    else if (message.type === 'gap') this.#phase = 'snapshot'
    else if (message.type === 'snapshot_end') this.#phase = 'live'
    const heard = this.#each((member) => member.hear(message))
    // A listener may have left as the last one, or followed so that the topic is asked for already.
    if (this.#members.size === 0 || this.#is_asked) return 'taken'
    const is_owed = this.#phase === 'live' && [...this.#members].some((member) => !this.#served.has(member))
    return is_owed ? 'missing' : heard
  }

  get #is_asked(): boolean {
    return this.#phase === 'asked'
  }

  hearPosition(last_seq: number): Heard {
    return this.#each((member) => member.hearPosition(last_seq))
  }

  fail(): void {
    this.#members.clear()
    this.#means.end()
  }

  /** Starts a round. A cursor that cannot be continued concerns only the members that have it: later ones may continue. */
  #begin({ mode, epoch }: TopicMessage): void {
    this.#epoch = epoch as string
    this.#phase = mode === 'snapshot' ? 'snapshot' : 'live'
    if (this.#members.size === 0) this.#means.end()
    const asked = this.#asked
    const isServed = ({ resume }: FollowedTopic) => {
      if (asked === null || resume === null) return asked === resume
      if (resume.epoch !== asked.epoch) return false
      return mode === 'snapshot' ? resume.after_seq === asked.after_seq : resume.after_seq >= asked.after_seq
    }
    this.#served = new Set([...this.#members].filter(isServed))
  }

  /** Returns the cursor to serve next: none at all before one of another epoch, and that before the oldest one. */
  #neediest(): Resume | null {
    const cursors = [...this.#members].map(({ resume }) => resume)
    const known = cursors.filter((cursor) => cursor !== null)
    if (known.length < cursors.length) return null
    const other = known.find(({ epoch }) => epoch !== this.#epoch)
    return other ?? known.reduce<Resume | null>((a, b) => (a === null || b.after_seq < a.after_seq ? b : a), null)
  }

  #each(tell: (member: FollowedTopic) => Heard): Heard {
    // A listener may follow or leave while it is called.
    const heard = [...this.#served].filter((member) => this.#members.has(member)).map(tell)
    return heard.includes('missing') ? 'missing' : 'taken'
  }
}

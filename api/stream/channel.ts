import type { Message } from './message.ts'
import type { Outbox } from './outbox.ts'
import type { Key, TopicSource } from './sources/topic-source.ts'

/** One topic with its filter values; all subscriptions with the same sid share it. */
export type Channel = {
  readonly sid: string
  readonly source: TopicSource
  readonly key: Key
  readonly subscriptions: Set<Subscription>
}

/** Returns the sid of a channel: the same in every process, so that a message has the same bytes for every subscription. */
export function sidOf(topic: string, key: Key): string {
  return [topic, ...key].join(':')
}

/** Messages of a snapshot, or missed events: each step sends one and yields its bytes. */
export type Sending = Iterator<number, void>

/** Most events held behind a snapshot; the subscription fails beyond it. */
const HELD_MAX = 20_000

/** Connection that subscribes to channels. */
export type Subscriber = {
  readonly outbox: Outbox
  /** By sid. */
  readonly subscriptions: Map<string, Subscription>
  /** Ends a subscription if one of its messages cannot be built: without it the client's state would be wrong. */
  fail(subscription: Subscription): void
}

/** Subscription of one connection to a channel. */
export class Subscription {
  // Fields that every message reads come first, for locality.
  readonly #outbox: Outbox
  /** Last seq sent or replaced; no message up to it is sent again. */
  #covered: number
  /** Seq after which messages were dropped; null: none were. */
  #lost_from: number | null = null
  /** Events that wait behind a snapshot; null: none is being sent. */
  #held: Message[] | null = null
  readonly channel: Channel
  readonly #subscriber: Subscriber

  constructor(channel: Channel, subscriber: Subscriber, seq: number) {
    this.#outbox = subscriber.outbox
    this.#covered = seq
    this.channel = channel
    this.#subscriber = subscriber
  }

  /** Seq of the client once it has received everything sent. */
  get last_seq(): number {
    return this.#lost_from ?? this.#covered
  }

  /** Whether a snapshot or missed events are still being sent. */
  get is_sending(): boolean {
    return this.#held !== null
  }

  /** Range of the dropped messages; null: none were, or a snapshot is still being sent. */
  get lost(): { readonly from_seq: number; readonly to_seq: number } | null {
    return this.#lost_from === null || this.#held !== null ? null : { from_seq: this.#lost_from, to_seq: this.#covered }
  }

  /** Holds events from now on, so that they follow the snapshot. */
  hold(): void {
    this.#held = []
  }

  /** Sends the held events; later ones are sent at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const message of held) this.pass(message)
  }

  /** Receives an event. */
  take(message: Message, at_once = false): void {
    if (this.#held === null) this.pass(message, at_once)
    else if (this.#held.push(message) > HELD_MAX) this.fail()
  }

  /** Sends an event, unless the client has it or waits for a fresh snapshot. */
  pass(message: Message, at_once = false): void {
    if (message.seq <= this.#covered) return
    this.#covered = message.seq
    if (this.#lost_from === null) this.#outbox.push(message, at_once)
  }

  /** Sends events as `take` does, in one push. @param bytes total of all messages */
  takeAll(messages: readonly Message[], bytes: number, at_once: boolean): void {
    if (messages[0]!.seq <= this.#covered || this.#lost_from !== null || this.#held !== null) {
      for (const message of messages) this.take(message)
      return
    }
    this.#covered = messages.at(-1)!.seq
    this.#outbox.pushAll(messages, bytes, at_once)
  }

  /** Sends a message other than an event, such as a snapshot. */
  send(message: Message): void {
    this.#outbox.push(message)
  }

  /** Records that messages after this seq were dropped. */
  lose(from_seq: number): void {
    this.#lost_from ??= from_seq
  }

  /** Ends a loss: a snapshot follows that covers everything up to this seq. */
  recover(seq: number): void {
    this.#lost_from = null
    this.#covered = seq
  }

  fail(): void {
    this.#subscriber.fail(this)
  }
}

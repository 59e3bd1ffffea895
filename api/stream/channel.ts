import type { Message } from './message.ts'
import type { Outbox } from './outbox.ts'
import type { Key, TopicSource } from './sources/topic-source.ts'

/** One topic with the filter values that were given: what all subscriptions of the same name get. */
export type Channel = {
  readonly sid: string
  readonly source: TopicSource
  readonly key: Key
  readonly subscriptions: Set<Subscription>
}

/** The name of a channel: the same in every process, so that a message is the same bytes for every subscription. */
export function sidOf(topic: string, key: Key): string {
  return [topic, ...key].join(':')
}

/** What a channel's subscribers are told of. */
export type Subscriber = {
  readonly outbox: Outbox
  /** By sid. */
  readonly subscriptions: Map<string, Subscription>
  /** A message could not be made: what the client has cannot be kept right. */
  fail(): void
}

/** One connection's part in a channel. */
export class Subscription {
  // What every message looks at stands first, side by side.
  readonly #outbox: Outbox
  /** No message at or before it is sent again. */
  #covered: number
  /** Where messages began to be left out; null: none are. */
  #lost_from: number | null = null
  readonly channel: Channel
  readonly #subscriber: Subscriber

  constructor(channel: Channel, subscriber: Subscriber, position: number) {
    this.#outbox = subscriber.outbox
    this.#covered = position
    this.channel = channel
    this.#subscriber = subscriber
  }

  /** The position that the client has when it took everything that was sent. */
  get last_seq(): number {
    return this.#lost_from ?? this.#covered
  }

  get lost(): { readonly from_seq: number; readonly to_seq: number } | null {
    return this.#lost_from === null ? null : { from_seq: this.#lost_from, to_seq: this.#covered }
  }

  /** Sends an event, unless the client has it or waits for a fresh snapshot. */
  take(message: Message, at_once = false): void {
    if (message.seq <= this.#covered) return
    this.#covered = message.seq
    if (this.#lost_from === null) this.#outbox.push(message, at_once)
  }

  /** As each of them by itself. @param bytes of all */
  takeAll(messages: readonly Message[], bytes: number, at_once: boolean): void {
    if (messages[0]!.seq <= this.#covered || this.#lost_from !== null) {
      for (const message of messages) this.take(message)
      return
    }
    this.#covered = messages.at(-1)!.seq
    this.#outbox.pushAll(messages, bytes, at_once)
  }

  /** Sends what is no event: a snapshot replaces what the client has. */
  send(message: Message): void {
    this.#outbox.push(message)
  }

  /** Messages after this position were given up. */
  lose(from_seq: number): void {
    this.#lost_from ??= from_seq
  }

  /** A snapshot follows that covers everything up to here. */
  recover(position: number): void {
    this.#lost_from = null
    this.#covered = position
  }

  fail(): void {
    this.#subscriber.fail()
  }
}

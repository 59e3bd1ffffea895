import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import { type Message, ownMessage } from '../message.ts'
import type { Outbox } from '../outbox.ts'
import type { Content, Part } from './content.ts'
import { privateMessage } from './private-message.ts'

/** What the subscriptions of an account belong to: one connection. */
export type PrivateSubscriber = {
  readonly outbox: Outbox
  /** By sid. */
  readonly private_subscriptions: Map<string, PrivateSubscription>
  /** A message could not be made: what the client has cannot be kept right. */
  fail(): void
}

/**
 * behind: what happens is read from the database later, so nothing is kept. joining: what happens waits for what is read now.
 * live: what happens is sent.
 */
type Phase = 'behind' | 'joining' | 'live' | 'ended'

/** More that happens while one read is under way is not waited for. */
const HELD_MAX = 20_000

/** One connection's part in what an account is told: messages in order, each once, each with the place of the one before. */
export class PrivateSubscription {
  readonly sid: string
  readonly topic: PrivateTopicName
  readonly part: Part
  readonly #subscriber: PrivateSubscriber
  #phase: Phase = 'behind'
  #held: Content[] = []
  #epoch = ''
  /** No message at or before it is sent again. */
  #covered = 0
  /** The message before the next one: of the topic and account, or of this subscription where it has a market alone. */
  #last = 0
  #lost_from: number | null = null
  #is_recovering = false

  constructor(topic: PrivateTopicName, part: Part, subscriber: PrivateSubscriber) {
    this.topic = topic
    this.part = part
    this.#subscriber = subscriber
    this.sid = [topic, part.account_id, ...(part.market_id === null ? [] : [part.market_id])].join(':')
  }

  get has_ended(): boolean {
    return this.#phase === 'ended'
  }

  /** The position that the client has when it took everything that was sent. */
  get last_seq(): number {
    return this.#lost_from ?? this.#covered
  }

  /** Where messages began to be left out; null: none are, or a snapshot is on its way already. */
  get lost(): number | null {
    return this.#is_recovering ? null : this.#lost_from
  }

  get buffered_bytes(): number {
    return this.#subscriber.outbox.buffered_bytes
  }

  /** What happens from now on waits. */
  hold(): void {
    if (this.#phase === 'ended') return
    this.#phase = 'joining'
    this.#held = []
  }

  /** What happens is read later. */
  letGo(): void {
    if (this.#phase === 'ended') return
    this.#phase = 'behind'
    this.#held = []
  }

  /** @param before place of the topic's last message for the account at or before `position` */
  begin(epoch: string, position: number, before: number): void {
    this.#epoch = epoch
    this.#covered = position
    this.#last = this.part.market_id === null ? before : position
  }

  /** What was held is sent; from now on everything is at once. */
  goLive(): void {
    if (this.#phase === 'ended') return
    const held = this.#held
    this.#phase = 'live'
    this.#held = []
    for (const content of held) this.pass(content)
  }

  /** Something has happened. */
  take(content: Content): void {
    if (this.#phase === 'live') this.pass(content)
    else if (this.#phase === 'joining') {
      this.#held.push(content)
      if (this.#held.length > HELD_MAX) this.#subscriber.fail()
    }
  }

  /** Sends an event, unless the client has it, does not want it, or waits for a fresh snapshot. */
  pass(content: Content): void {
    if (this.#phase === 'ended' || content.seq <= this.#covered || !this.#wants(content)) return
    const prev_seq = this.#last
    this.#covered = content.seq
    this.#last = content.seq
    if (this.#lost_from !== null) return
    const { sid } = this
    this.#subscriber.outbox.push(privateMessage({ type: 'event', sid, epoch: this.#epoch, prev_seq }, content))
  }

  /** Sends what is: it replaces what the client has. */
  show(contents: readonly Content[], complete: boolean): void {
    const { sid } = this
    const [epoch, seq] = [this.#epoch, this.#covered]
    for (const content of contents) this.send(privateMessage({ type: 'snapshot', sid, epoch, prev_seq: 0 }, content))
    this.send(ownMessage({ type: 'snapshot_end', sid, epoch, seq, count: contents.length, complete }))
  }

  send(message: Message): void {
    if (this.#phase !== 'ended') this.#subscriber.outbox.push(message)
  }

  /** Messages after this position were given up. */
  lose(from_seq: number): void {
    this.#lost_from ??= from_seq
  }

  /** A snapshot is being read that covers everything up to it. @returns where messages began to be left out */
  beginRecovery(): number {
    this.#is_recovering = true
    return this.#lost_from ?? this.#covered
  }

  /** The snapshot follows. */
  recover(): void {
    this.#is_recovering = false
    this.#lost_from = null
  }

  fail(): void {
    this.#subscriber.fail()
  }

  end(): void {
    this.#phase = 'ended'
    this.#held = []
  }

  #wants({ market_id }: Content): boolean {
    return this.part.market_id === null || this.part.market_id === market_id
  }
}

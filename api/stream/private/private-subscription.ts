import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import { type Message, ownMessage } from '../message.ts'
import type { Outbox } from '../outbox.ts'
import type { Content, Part } from './content.ts'
import { privateMessage } from './private-message.ts'

/** Connection that holds private subscriptions. */
export type PrivateSubscriber = {
  readonly outbox: Outbox
  /** By sid. */
  readonly private_subscriptions: Map<string, PrivateSubscription>
  /** Called when a message cannot be built, so that the client's state would become wrong. */
  fail(subscription: PrivateSubscription): void
}

/**
 * behind: events are read from the database later, none is held. joining: events are held until the current read is sent.
 * live: events are sent.
 */
type Phase = 'behind' | 'joining' | 'live' | 'ended'

/** Most events held during one read; the connection fails beyond it. */
const HELD_MAX = 20_000

/** Private subscription of one connection: messages in order, each once, each with the seq of the previous one. */
export class PrivateSubscription {
  readonly sid: string
  readonly topic: PrivateTopicName
  readonly part: Part
  readonly #subscriber: PrivateSubscriber
  #phase: Phase = 'behind'
  #held: Content[] = []
  #epoch = ''
  /** Last seq sent or replaced; no message up to it is sent again. */
  #covered = 0
  /** Seq of the previous message: of the topic and account, or of this subscription if it is filtered by market. */
  #last = 0
  #lost_from: number | null = null
  #is_recovering = false
  #shown_bytes = 0
  #is_showing = false

  constructor(topic: PrivateTopicName, part: Part, subscriber: PrivateSubscriber) {
    this.topic = topic
    this.part = part
    this.#subscriber = subscriber
    this.sid = [topic, part.account_id, ...(part.market_id === null ? [] : [part.market_id])].join(':')
  }

  get has_ended(): boolean {
    return this.#phase === 'ended'
  }

  /** Seq of the client once it has received everything sent. */
  get last_seq(): number {
    return this.#lost_from ?? this.#covered
  }

  /** Seq after which messages were dropped; null: none were, or a snapshot is already under way. */
  get lost(): number | null {
    return this.#is_recovering || this.#is_showing ? null : this.#lost_from
  }

  /** Whether a snapshot is being sent. */
  get is_sending(): boolean {
    return this.#is_showing
  }

  /** Bytes of all snapshots. */
  get shown_bytes(): number {
    return this.#shown_bytes
  }

  get buffered_bytes(): number {
    return this.#subscriber.outbox.buffered_bytes
  }

  /** Holds events from now on. */
  hold(): void {
    if (this.#phase === 'ended') return
    this.#phase = 'joining'
    this.#held = []
  }

  /** Stops holding: events are read from the database later. */
  release(): void {
    if (this.#phase === 'ended') return
    this.#phase = 'behind'
    this.#held = []
  }

  /** Sets the start of the subscription. @param before seq of the topic's last message for the account, at most `seq` */
  begin(epoch: string, seq: number, before: number): void {
    this.#epoch = epoch
    this.#covered = seq
    this.#last = this.part.market_id === null ? before : seq
  }

  /** Sends the held events; later ones are sent at once. */
  goLive(): void {
    if (this.#phase === 'ended') return
    const held = this.#held
    this.#phase = 'live'
    this.#is_showing = false
    this.#held = []
    for (const content of held) this.pass(content)
  }

  /** Receives an event. */
  take(content: Content): void {
    if (this.#phase === 'live') this.pass(content)
    else if (this.#phase === 'joining') {
      this.#held.push(content)
      if (this.#held.length > HELD_MAX) this.fail()
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

  /** Sends a part of a snapshot, which replaces the client's state. */
  show(contents: readonly Content[]): void {
    const { sid } = this
    const epoch = this.#epoch
    for (const content of contents) {
      const message = privateMessage({ type: 'snapshot', sid, epoch, prev_seq: 0 }, content)
      this.#shown_bytes += message.bytes.length
      this.send(message)
    }
  }

  endShow(count: number, complete: boolean): void {
    const [epoch, seq] = [this.#epoch, this.#covered]
    this.send(ownMessage({ type: 'snapshot_end', sid: this.sid, epoch, seq, count, complete }))
  }

  send(message: Message): void {
    if (this.#phase !== 'ended') this.#subscriber.outbox.push(message)
  }

  /** Records that messages after this seq were dropped. */
  lose(from_seq: number): void {
    this.#lost_from ??= from_seq
  }

  /** Begins the recovery by a snapshot that covers everything up to its seq. @returns seq after which messages were dropped */
  beginRecovery(): number {
    this.#is_recovering = true
    return this.#lost_from ?? this.#covered
  }

  /** Ends the recovery: the snapshot follows, and no other begins until it is sent. */
  recover(): void {
    this.#is_showing = true
    this.#is_recovering = false
    this.#lost_from = null
  }

  fail(): void {
    this.#subscriber.fail(this)
  }

  end(): void {
    this.#phase = 'ended'
    this.#held = []
  }

  #wants({ market_id }: Content): boolean {
    return this.part.market_id === null || this.part.market_id === market_id
  }
}

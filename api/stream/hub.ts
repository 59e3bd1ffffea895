import { ServiceError } from '../../primitives/errors.ts'
import type { Resume } from '../../protocol/stream/client-messages.ts'
import type { Gap } from '../../protocol/stream/server-messages.ts'
import type { TopicName } from '../../protocol/stream/topics.ts'
import { type Channel, type Sending, type Subscriber, Subscription, sidOf } from './channel.ts'
import type { HubCommit, HubFeed } from './hub-feed.ts'
import { dataMessage, type Message, messageId, ownMessage } from './message.ts'
import { FLUSH_BYTES } from './outbox.ts'
import { type Retained, replayOf } from './replay.ts'
import type { Key, TopicEvent, TopicSource, TopicState } from './sources/topic-source.ts'

/** Largest lead of a valid client over this process, in seqs: another process may have read more commits, but never this many. */
const AHEAD_MAX = 3600 * 2 ** 20

const NOTHING: readonly number[] = []

export type HubPorts = {
  readonly feed: HubFeed
  readonly sources: readonly TopicSource[]
  /**
   * Selects the source of a topic for the filter values.
   * @throws {ServiceError} SERVICE_UNAVAILABLE: it cannot be known yet
   */
  readonly sourceOf: (topic: TopicName, key: Key) => TopicSource
  /** Called when a message could not be built: a bug. */
  readonly onFailure: (error: Error, topic: TopicName) => void
  /** Schedules a call of `give`. */
  readonly wake: () => void
}

/** Messages of a channel not yet passed to its subscriptions. */
type Run = { readonly messages: Message[]; bytes: number }

/**
 * Passes commits of the feed to subscriptions: a message is built once for each channel. Messages of commits close in time are
 * passed together, so that each subscription is visited once per flush, not once per commit.
 */
export class Hub {
  readonly #ports: HubPorts
  readonly #channels = new Map<string, Channel>()
  readonly #by_table: ReadonlyMap<string, readonly TopicSource[]>
  /** Seq of the last row of each table with subscribers, now and before each commit since. */
  readonly #heads = new Map<string, number>()
  readonly #heads_before = new WeakMap<HubCommit, number>()
  readonly #runs = new Map<Channel, Run>()
  readonly #leave: () => void

  constructor(ports: HubPorts) {
    this.#ports = ports
    const { sources } = ports
    const tables = [...new Set(sources.map(tableOf))]
    this.#by_table = new Map(tables.map((table) => [table, sources.filter((source) => tableOf(source) === table)]))
    this.#leave = ports.feed.subscribe((commit) => this.#deliver(commit))
  }

  close(): void {
    this.#leave()
    this.give()
  }

  /** Passes the waiting messages on. Those of the last channel are written at once, because nothing follows them. */
  give(): void {
    let left = this.#runs.size
    for (const [channel, { messages, bytes }] of this.#runs) {
      left -= 1
      this.#runs.delete(channel)
      giveAll(channel, messages, bytes, left === 0)
    }
  }

  get channel_count(): number {
    return this.#channels.size
  }

  /**
   * Subscribes a connection to a topic and sends it `subscribed`. The missed events or the current state follow in steps: what they are
   * is decided now, between two commits, and later events are held until they are sent. So nothing is lost or repeated.
   * @throws {ServiceError} the filters name nothing public; VALIDATION_MESSAGE_INVALID: a seq ahead of the table
   */
  subscribe(id: string, topic: TopicName, key: Key, resume: Resume | null, subscriber: Subscriber): Sending {
    const source = this.#ports.sourceOf(topic, key)
    source.check(key)
    const channel = this.#channelOf(source, key)
    const retained = this.#retainedOf(channel, resume)
    this.#heads.set(tableOf(source), retained.head)
    checkPosition(resume, retained)
    const replay = resume === null ? ({ mode: 'snapshot' } as const) : replayOf(channel, resume, retained)
    const seq = replay.mode === 'resumed' ? resume!.after_seq : retained.head
    const subscription = new Subscription(channel, subscriber, seq)
    const { sid } = channel
    const effective = Object.fromEntries(key.map((value, at) => [Object.keys(source.topic.filters)[at], value]))
    const mode = replay.mode === 'resumed' ? 'resumed' : 'snapshot'
    const { epoch } = retained
    channel.subscriptions.add(subscription)
    this.#channels.set(sid, channel)
    subscriber.subscriptions.set(sid, subscription)
    subscription.send(ownMessage({ type: 'subscribed', id, sid, topic, mode, epoch, seq, effective }))
    if (replay.mode === 'resumed') {
      subscription.hold()
      return this.#sendMissed(subscription, replay.events)
    }
    if (replay.mode === 'gap') subscription.send(gapMessage(sid, resume!.after_seq, retained.head, replay.reason))
    return this.#beginStates(subscription)
  }

  unsubscribe(subscription: Subscription): void {
    const { channel } = subscription
    channel.subscriptions.delete(subscription)
    if (channel.subscriptions.size === 0) this.#channels.delete(channel.sid)
  }

  /** Sends a subscription the gap of what it lost; the current state follows in steps. */
  recover(subscription: Subscription): Sending {
    const { lost, channel } = subscription
    if (lost === null) return NOTHING.values()
    subscription.recover(this.#ports.feed.head(tableOf(channel.source)))
    subscription.send(gapMessage(channel.sid, lost.from_seq, lost.to_seq, 'slow_consumer'))
    return this.#beginStates(subscription)
  }

  #deliver(commit: HubCommit): void {
    const last = commit.rows.at(-1)
    if (last === undefined) return
    const known = this.#heads.get(commit.table)
    // Unknown for the first commit since the start; rows before it are then not considered retained.
    if (known !== undefined) this.#heads_before.set(commit, known)
    const before = known ?? commit.rows[0]!.seq - 1
    this.#heads.set(commit.table, last.seq)
    if (this.#channels.size === 0) return
    for (const source of this.#by_table.get(commit.table) ?? []) this.#deliverTopic(source, commit, before)
  }

  #deliverTopic(source: TopicSource, commit: HubCommit, before: number): void {
    const subscribed = (sid: string) => {
      const channel = this.#channels.get(sid)
      return channel?.source === source ? [channel] : []
    }
    const channelsOf = (key: Key) => channelSids(source, key).flatMap(subscribed)
    let events: TopicEvent[]
    try {
      events = source.eventsOf(commit, before, (key) => channelsOf(key).length > 0)
    } catch (error) {
      this.#report(error, source)
      for (const channel of [...this.#channels.values()]) if (channel.source === source) this.#failAll(channel)
      return
    }
    for (const event of events)
      for (const channel of channelsOf(event.key)) this.#send(channel, event, (message) => this.#wait(channel, message))
  }

  #wait(channel: Channel, message: Message): void {
    const run = this.#runs.get(channel) ?? { messages: [], bytes: 0 }
    this.#runs.set(channel, run)
    run.messages.push(message)
    run.bytes += message.bytes.length
    if (run.bytes >= FLUSH_BYTES) this.give()
    else this.#ports.wake()
  }

  #send(channel: Channel, event: TopicEvent, give: (message: Message) => unknown): void {
    try {
      const message = this.#eventMessage(channel, event)
      if (message !== null) give(message)
    } catch (error) {
      this.#report(error, channel.source)
      this.#failAll(channel)
    }
  }

  /** Reports a message that could not be built, whatever its error: one that a client may retry elsewhere is a bug here. */
  #report(cause: unknown, { topic: { topic } }: TopicSource): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#ports.onFailure(new Error(`a message of ${topic} could not be built: ${reason}`, { cause }), topic)
  }

  /** Fails every subscription of a channel, after the messages built before. */
  #failAll({ subscriptions }: Channel): void {
    this.give()
    for (const subscription of [...subscriptions]) subscription.fail()
  }

  #eventMessage({ sid, source, key }: Channel, event: TopicEvent): Message | null {
    const data = event.data()
    if (data === null) return null
    const { topic, conflated } = source.topic
    const epoch = this.#ports.feed.epoch(tableOf(source))
    const { kind, seq, published_at } = event
    const event_id = messageId(topic, epoch, seq)
    const prev_seq = event.prev_seq[key.length]!
    const facts = { type: 'event', sid, topic, kind, event_id, epoch, prev_seq, seq, published_at } as const
    return dataMessage(facts, data, conflated ? sidOf(sid, event.key) : null)
  }

  *#sendMissed(subscription: Subscription, events: readonly TopicEvent[]): Generator<number, void> {
    const { channel } = subscription
    for (const event of events) {
      if (!channel.subscriptions.has(subscription)) return
      let bytes = 0
      this.#send(channel, event, (message) => {
        bytes = message.bytes.length
        subscription.pass(message)
      })
      yield bytes
    }
    subscription.release()
  }

  /** Holds events, and takes the states as they are now; they are sent later. */
  #beginStates(subscription: Subscription): Sending {
    const { source, key } = subscription.channel
    subscription.hold()
    try {
      return this.#sendStates(
        subscription,
        source.statesOf(key).sort((a, b) => a.seq - b.seq),
      )
    } catch (error) {
      this.#report(error, source)
      subscription.fail()
      return NOTHING.values()
    }
  }

  *#sendStates(subscription: Subscription, states: readonly TopicState[]): Generator<number, void> {
    const { channel } = subscription
    for (const state of states) {
      if (!channel.subscriptions.has(subscription)) return
      let message: Message
      try {
        message = this.#stateMessage(channel, state)
      } catch (error) {
        this.#report(error, channel.source)
        subscription.fail()
        return
      }
      subscription.send(message)
      yield message.bytes.length
    }
    subscription.release()
  }

  #stateMessage({ sid, source }: Channel, { key, seq, published_at, data }: TopicState): Message {
    const { topic, conflated } = source.topic
    const epoch = this.#ports.feed.epoch(tableOf(source))
    const event_id = messageId(topic, epoch, seq, key)
    const place = { event_id, epoch, prev_seq: 0, seq, published_at }
    return dataMessage(
      { type: 'snapshot', sid, topic, kind: 'snapshot', ...place },
      data(),
      conflated ? sidOf(sid, key) : null,
    )
  }

  #channelOf(source: TopicSource, key: Key): Channel {
    const sid = sidOf(source.topic.topic, key)
    return this.#channels.get(sid) ?? { sid, source, key, subscriptions: new Set() }
  }

  #retainedOf({ source, key }: Channel, resume: Resume | null): Retained {
    const { feed } = this.#ports
    const table = tableOf(source)
    const names = Object.keys(source.topic.filters)
    const last = feed.last(table, Object.fromEntries(key.map((value, at) => [names[at]!, value])))
    const commits = resume === null ? [] : feed.recent(table, resume.after_seq)
    const before = new Map(commits.slice(1).map((commit, at) => [commit, commits[at]!.rows.at(-1)!.seq]))
    const headBefore = (commit: HubCommit) => before.get(commit) ?? this.#heads_before.get(commit) ?? null
    return { epoch: feed.epoch(table), commits, head: feed.head(table), last, headBefore }
  }
}

function tableOf({ table, topic }: TopicSource): string {
  return table ?? topic.table
}

/** Returns the sids of the channels that include a full key: one for each permitted number of filters. */
function channelSids({ topic }: TopicSource, key: Key): string[] {
  const sids: string[] = []
  for (let given = topic.required_filters.length; given <= key.length; given += 1)
    sids.push(sidOf(topic.topic, key.slice(0, given)))
  return sids
}

function gapMessage(sid: string, from_seq: number, to_seq: number, reason: Gap['reason']): Message {
  return ownMessage({ type: 'gap', sid, from_seq, to_seq, reason })
}

/** Passes consecutive messages of one channel; each subscriber is visited once, because with thousands each visit is costly. */
function giveAll({ subscriptions }: Channel, messages: readonly Message[], bytes: number, at_once: boolean): void {
  const [first] = messages
  if (first === undefined) return
  if (messages.length === 1) {
    for (const subscription of subscriptions) subscription.take(first, at_once)
    return
  }
  const is_rising = messages.every(({ seq }, at) => at === 0 || messages[at - 1]!.seq < seq)
  for (const subscription of subscriptions) {
    if (is_rising) subscription.takeAll(messages, bytes, at_once)
    else for (const message of messages) subscription.take(message)
  }
}

function checkPosition(resume: Resume | null, { epoch, head }: Retained): void {
  if (resume === null || resume.epoch !== epoch || resume.after_seq <= head + AHEAD_MAX) return
  const message = `resume.after_seq is ${resume.after_seq}; allowed: a seq of this epoch, which is at ${head}`
  throw new ServiceError('VALIDATION_MESSAGE_INVALID', message, { field: 'resume.after_seq' })
}

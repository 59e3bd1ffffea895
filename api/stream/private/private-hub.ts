import { setTimeout as pause } from 'node:timers/promises'
import { isServiceError } from '../../../primitives/errors.ts'
import type { PrivateTopicName } from '../../../protocol/stream/private-topics.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import { ReachedStates } from '../../../trading/projections/order-at.ts'
import type { StreamReads } from '../../../trading/store/read/stream-reads.ts'
import type { EngineBatch, TradingFeed } from '../../trading-feed.ts'
import type { Content, PlacedEngineEvent } from './content.ts'
import type { PrivateSubscription } from './private-subscription.ts'
import { PRIVATE_SOURCES } from './sources/all-private-sources.ts'

export type PrivateHubPorts = {
  readonly feed: TradingFeed
  readonly reads: StreamReads
  /** Called when a message could not be built: a bug. */
  readonly onFailure: (error: unknown, where: string) => void
}

/** Topics that publish each kind of event. */
const TOPICS_OF = topicsByKind()
/** Delay before a failed read is retried; events wait meanwhile. */
const RETRY_MS = 250

/**
 * Passes engine events to private subscriptions. Events of accounts without subscribers are discarded. For the others, all events
 * since the last turn are read together, so that a busy engine needs fewer reads per event.
 */
export class PrivateHub {
  readonly #ports: PrivateHubPorts
  readonly #by_account = new Map<string, Map<PrivateTopicName, Set<PrivateSubscription>>>()
  #queue: PlacedEngineEvent[] = []
  #is_running = false
  #is_closed = false
  readonly #leave: () => void

  constructor(ports: PrivateHubPorts) {
    this.#ports = ports
    this.#leave = ports.feed.subscribe(
      (batch) => this.#note(batch),
      () => this.#by_account.size > 0,
    )
  }

  close(): void {
    this.#is_closed = true
    this.#leave()
  }

  /** Adds a subscription; it receives every event from now on. */
  add(subscription: PrivateSubscription): void {
    const { topic, part } = subscription
    const by_topic = this.#by_account.get(part.account_id) ?? new Map<PrivateTopicName, Set<PrivateSubscription>>()
    this.#by_account.set(part.account_id, by_topic)
    by_topic.set(topic, (by_topic.get(topic) ?? new Set()).add(subscription))
  }

  remove(subscription: PrivateSubscription): void {
    subscription.end()
    const { topic, part } = subscription
    const by_topic = this.#by_account.get(part.account_id)
    const others = by_topic?.get(topic)
    others?.delete(subscription)
    if (others?.size === 0) by_topic!.delete(topic)
    if (by_topic?.size === 0) this.#by_account.delete(part.account_id)
  }

  #note({ batch_sequence, last_engine_sequence, events }: EngineBatch): void {
    if (this.#by_account.size === 0) return
    for (const event of events)
      if (this.#isWanted(event)) this.#queue.push({ event, batch_sequence, last_engine_sequence } as PlacedEngineEvent)
    if (this.#queue.length > 0 && !this.#is_running) void this.#run()
  }

  #isWanted(event: EngineEvent): boolean {
    const topics = TOPICS_OF.get(event.kind)
    if (topics === undefined || !('account_id' in event) || event.account_id === null) return false
    const listened = this.#by_account.get(event.account_id)
    return listened !== undefined && topics.some((topic) => listened.has(topic))
  }

  async #run(): Promise<void> {
    this.#is_running = true
    while (this.#queue.length > 0 && !this.#is_closed) {
      const events = this.#queue
      this.#queue = []
      const contents = await this.#contentsOf(events)
      for (const content of contents) this.#deliver(content)
    }
    this.#is_running = false
  }

  /** Builds the messages of events, in order. */
  async #contentsOf(events: readonly PlacedEngineEvent[]): Promise<Content[]> {
    while (!this.#is_closed) {
      try {
        const by_topic = await Promise.all(
          [...this.#byTopic(events)].map(([topic, of_topic]) => this.#contentsOfTopic(topic, of_topic)),
        )
        return by_topic.flat().sort((a, b) => a.seq - b.seq)
      } catch (error) {
        if (!isServiceError(error, 'SERVICE_UNAVAILABLE')) {
          this.#ports.onFailure(error, 'private stream')
          this.#failAll(events)
          return []
        }
        await pause(RETRY_MS)
      }
    }
    return []
  }

  #byTopic(events: readonly PlacedEngineEvent[]): Map<PrivateTopicName, PlacedEngineEvent[]> {
    const by_topic = new Map<PrivateTopicName, PlacedEngineEvent[]>()
    for (const placed of events) {
      const { kind, account_id } = placed.event
      const listened = this.#by_account.get(account_id)
      for (const topic of TOPICS_OF.get(kind) ?? []) {
        if (listened?.has(topic) !== true) continue
        const of_topic = by_topic.get(topic)
        if (of_topic === undefined) by_topic.set(topic, [placed])
        else of_topic.push(placed)
      }
    }
    return by_topic
  }

  #contentsOfTopic(topic: PrivateTopicName, events: readonly PlacedEngineEvent[]): Promise<Content[]> {
    const { together, each } = this.#ports.reads
    const source = PRIVATE_SOURCES[topic]
    const memory = new ReachedStates()
    if (source.sees_one_state) return together((view) => source.ofEvents(view, events, memory))
    return source.ofEvents(each, events, memory)
  }

  #deliver(content: Content): void {
    for (const subscription of this.#by_account.get(content.account_id)?.get(content.topic) ?? [])
      subscription.take(content)
  }

  #failAll(events: readonly PlacedEngineEvent[]): void {
    const accounts = new Set(events.map(({ event }) => event.account_id))
    for (const account_id of accounts)
      for (const subscriptions of [...(this.#by_account.get(account_id)?.values() ?? [])])
        for (const subscription of [...subscriptions]) subscription.fail()
  }
}

function topicsByKind(): ReadonlyMap<string, readonly PrivateTopicName[]> {
  const topics = new Map<string, PrivateTopicName[]>()
  for (const { topic, event_kinds } of Object.values(PRIVATE_SOURCES))
    for (const kind of event_kinds) topics.set(kind, [...(topics.get(kind) ?? []), topic])
  return topics
}

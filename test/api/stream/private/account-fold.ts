import { Check } from 'typebox/value'
import { expect } from 'vitest'
import {
  PRIVATE_TOPIC_NAMES,
  type PrivateTopicName,
  privateTopicOf,
} from '../../../../protocol/stream/private-topics.ts'
import { privateDataMessage } from '../../../../protocol/stream/server-messages.ts'
import type { Said } from '../stream-client.ts'

export type Resource = Readonly<Record<string, unknown>>
type Message = Said & {
  readonly topic: PrivateTopicName
  readonly kind: string
  readonly seq: number
  readonly prev_seq: number
  readonly event_id: string
  readonly engine_sequence: number
  readonly projection_version: number
  readonly data: Resource
}

const SCHEMAS = Object.fromEntries(
  PRIVATE_TOPIC_NAMES.map((topic) => [topic, privateDataMessage(privateTopicOf(topic))]),
)
/** Fields that identify a resource of a topic. */
const ID_FIELDS: Readonly<Record<PrivateTopicName, readonly string[]>> = {
  'account.order': ['order_id'],
  'account.fill': ['adjustment_id', 'fill_id'],
  'account.position': ['position_id'],
  'account.balance': ['balance_id'],
  'account.settlement': ['settlement_id'],
  'account.risk': ['account_id'],
  'account.protection': ['market_id'],
}

/** State of a client that follows one topic by the rules of docs/stream.md, over any number of connections. */
export class AccountFold {
  readonly topic: PrivateTopicName
  position = 0
  epoch = ''
  complete = false
  readonly resources = new Map<string, Resource>()
  readonly versions = new Map<string, number>()
  readonly kinds = new Set<string>()
  readonly gaps: Said[] = []
  /** Messages that did not follow what was there. */
  readonly missing: Message[] = []
  readonly repeated: Message[] = []
  readonly event_ids = new Set<string>()

  constructor(topic: PrivateTopicName) {
    this.topic = topic
  }

  hear(said: Said): void {
    if (!String(said.sid ?? '').startsWith(this.topic)) return
    if (said.type === 'subscribed') this.begin(said)
    else if (said.type === 'gap') this.lose(said)
    else if (said.type === 'snapshot' || said.type === 'event') this.take(said as Message)
    else if (said.type === 'snapshot_end') this.complete = said.complete as boolean
  }

  private begin(said: Said): void {
    this.position = said.seq as number
    this.epoch = said.epoch as string
    if (said.mode === 'snapshot') this.forget()
  }

  private lose(said: Said): void {
    this.gaps.push(said)
    this.position = said.to_seq as number
    this.forget()
  }

  private forget(): void {
    this.resources.clear()
    this.versions.clear()
  }

  private take(message: Message): void {
    expect(Check(SCHEMAS[this.topic]!, message), JSON.stringify(message)).toBe(true)
    if (message.type === 'event') {
      if (message.seq <= this.position) {
        this.repeated.push(message)
        return
      }
      if (message.prev_seq > this.position) this.missing.push(message)
      this.position = message.seq
      this.event_ids.add(message.event_id)
    }
    this.kinds.add(message.kind)
    this.put(message)
  }

  private put({ data, projection_version }: Message): void {
    const field = ID_FIELDS[this.topic].find((name) => name in data)!
    const id = `${field} ${data[field]}`
    if ((this.versions.get(id) ?? -1) >= projection_version) return
    this.versions.set(id, projection_version)
    this.resources.set(id, data)
  }
}

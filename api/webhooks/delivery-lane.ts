import type { BackoffRule } from '../../primitives/backoff.ts'
import { invariant } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { WebhookEvent } from '../../protocol/resources/webhook.ts'
import type { WebhookChangeEvent } from '../../trading/engine/events.ts'
import { requestedDeliveryId } from '../../trading/engine/webhooks.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../trading/projections/rows.ts'
import type { LeaseStatement } from '../../trading/store/webhooks/webhook-lease.ts'
import {
  cancelDeliveries,
  type IdlePlace,
  insertDelivery,
  insertRedeliveries,
  recordAttempt,
  saveProgress,
  type WebhookProgress,
  type WebhookWork,
} from '../../trading/store/webhooks/webhook-work.ts'
import { DELIVERY_KINDS, WEBHOOK_REQUESTS, type WebhookAction } from '../../vocabulary/webhook.ts'
import { concludeAttempt } from './conclude-attempt.ts'
import { kindsOf } from './event-kinds.ts'
import type { PostResult } from './post-to-target.ts'
import { testEvent, type WebhookEventPage } from './read-webhook-events.ts'

export type LanePorts = {
  readonly work: Pick<WebhookWork, 'changedSince' | 'pending' | 'changesAfter'>
  readonly write: (statements: readonly LeaseStatement[]) => Promise<void>
  /** Reads events of the account; `types` are those wanted. */
  readonly events: (asked: {
    readonly account_id: string
    readonly types: readonly WebhookRow['event_types'][number][]
    readonly after: number
    readonly limit: number
  }) => Promise<WebhookEventPage>
  /** Sends an event when it is its turn. Never throws but for the end. */
  readonly send: (webhook: WebhookRow, event: WebhookEvent) => Promise<PostResult & { readonly duration_ms: number }>
  readonly disable: (webhook: WebhookRow, reason: 'gone' | 'failing') => Promise<void>
  readonly concluded: (webhook: WebhookRow, delivery: WebhookDeliveryRow, result: PostResult) => void
  readonly now: () => Micros
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly retry: BackoffRule
}

/** Changes of the account's webhooks that are read at once to find a request. */
const CHANGES = 100
/** Events that are read ahead. */
const AHEAD = 20
/** Events without anything to deliver after which the place is saved, so that a restart does not read them again. */
const SAVED_AFTER = 10_000

/**
 * Deliveries of one webhook, one at a time: first what was asked for beside the order, then its events in order. A delivery is recorded
 * before it is sent and concluded after it was answered, in one transaction with the place of the webhook.
 */
export class DeliveryLane {
  webhook: WebhookRow
  #progress: WebhookProgress
  readonly #ports: LanePorts
  #loaded = false
  /** The delivery in order that is not concluded. */
  #current: WebhookDeliveryRow | null = null
  #beside: WebhookDeliveryRow[] = []
  #ahead: readonly WebhookEvent[] = []
  /** Sequence up to which nothing further is to be delivered. */
  #read_to: number
  #saved_position: number
  /** Sequence up to which requests were looked for. */
  #requests_to: number
  #wake: () => void = () => undefined
  #is_awake = false

  constructor(found: WebhookRow & WebhookProgress, ports: LanePorts) {
    const { position, round, request_sequence, failing_since, ...webhook } = found
    this.webhook = webhook
    this.#progress = { position, round, request_sequence, failing_since }
    this.#read_to = position
    this.#saved_position = position
    this.#requests_to = request_sequence
    this.#ports = ports
  }

  /** Places from which it is asked whether anything is new: requests to the webhook and, while nothing waits, its events. */
  idlePlaces(): readonly IdlePlace[] {
    const { webhook_id, account_id, status, event_types } = this.webhook
    if (this.#is_awake || !this.#loaded || status !== 'enabled') return []
    const of_requests = { webhook_id, account_id, kinds: ['webhook'], place: this.#requests_to }
    if (this.#current !== null) return [of_requests]
    return [of_requests, { webhook_id, account_id, kinds: kindsOf(event_types), place: this.#read_to }]
  }

  /** Pending deliveries, and the instant since when the oldest of them is. */
  pending(): { readonly count: number; readonly since: Micros | null } {
    const all = this.#current === null ? this.#beside : [this.#current, ...this.#beside]
    const since = all.length === 0 ? null : Math.min(...all.map(({ created_at }) => created_at))
    return { count: all.length, since }
  }

  isFailing(): boolean {
    return this.#progress.failing_since !== null
  }

  /** Looks again for something to do. */
  wake(): void {
    this.#is_awake = true
    this.#wake()
  }

  /** Takes up a change of the webhook; what is pending is tried at once. */
  change(webhook: WebhookRow): void {
    this.webhook = webhook
    this.#ahead = []
    this.#read_to = this.#progress.position
    if (this.#current !== null) this.#current = { ...this.#current, next_attempt_at: this.#ports.now() }
    this.wake()
  }

  /** Delivers until the signal, or until the webhook is deleted. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake()
    signal.addEventListener('abort', stop)
    try {
      while (!signal.aborted) {
        this.#is_awake = false
        const wait_ms = await this.#step(signal)
        if (wait_ms === 'ended') return
        if (wait_ms > 0 && !this.#is_awake && !signal.aborted) await this.#sleep(wait_ms)
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #sleep(wait_ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(wait_ms, LONGEST_SLEEP_MS))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Does one thing. @returns how long to wait before the next one */
  async #step(signal: AbortSignal): Promise<number | 'ended'> {
    const { webhook } = this
    if (!this.#loaded) await this.#load()
    if (webhook.deleted_at !== null) {
      await this.#ports.write([cancelDeliveries(webhook.webhook_id, DELIVERY_KINDS, this.#ports.now())])
      return 'ended'
    }
    if (webhook.status === 'disabled') return LONGEST_SLEEP_MS
    if (this.#beside.length === 0) await this.#takeRequest()
    const delivery = this.#beside[0] ?? (await this.#inOrder())
    if (delivery === null) return LONGEST_SLEEP_MS
    const wait_ms = ((delivery.next_attempt_at ?? 0) - this.#ports.now()) / 1000
    if (wait_ms > 0) return wait_ms
    if (!signal.aborted) await this.#attempt(delivery)
    return 0
  }

  async #load(): Promise<void> {
    const pending = await this.#ports.work.pending(this.webhook.webhook_id)
    this.#current = pending.find(({ kind }) => kind === 'event') ?? null
    this.#beside = pending.filter(({ kind }) => kind !== 'event')
    this.#loaded = true
  }

  /** Takes up the next test or replay. */
  async #takeRequest(): Promise<void> {
    const { webhook } = this
    const { webhook_id, account_id } = webhook
    const changes = await this.#ports.work.changesAfter(account_id, this.#requests_to, CHANGES)
    const request = changes.find((change) => change.webhook_id === webhook_id && isRequest(change))
    this.#requests_to = (request ?? changes.at(-1))?.engine_sequence ?? this.#requests_to
    if (request === undefined) return
    const now = this.#ports.now()
    const { action, engine_sequence, from_cursor = null } = request
    const progress = { ...this.#progress, request_sequence: engine_sequence }
    if (action === 'test_requested') await this.#save(progress, [insertDelivery(testDelivery(request, now))])
    else if (from_cursor === null) await this.#save(progress, [insertRedeliveries(request, now)])
    else {
      const moved = { ...progress, position: from_cursor, round: engine_sequence }
      await this.#save(moved, [cancelDeliveries(webhook_id, ['event'], now)])
      this.#ahead = []
      this.#read_to = from_cursor
    }
    await this.#load()
  }

  async #save(progress: WebhookProgress, statements: readonly LeaseStatement[]): Promise<void> {
    await this.#ports.write([...statements, saveProgress(this.webhook.webhook_id, progress)])
    this.#progress = progress
    this.#saved_position = progress.position
  }

  /** Returns the delivery whose turn it is, recorded; null: there is none. */
  async #inOrder(): Promise<WebhookDeliveryRow | null> {
    if (this.#current !== null) return this.#current
    while (this.#ahead.length === 0) {
      const { account_id, event_types } = this.webhook
      const asked = { account_id, types: event_types, after: this.#read_to, limit: AHEAD }
      const { events, read_to, is_whole } = await this.#ports.events(asked)
      this.#ahead = events
      this.#read_to = read_to
      if (events.length > 0) break
      // Nothing up to there is to be delivered, so all of it is concluded.
      this.#progress = { ...this.#progress, position: read_to }
      if (read_to - this.#saved_position > SAVED_AFTER) await this.#save(this.#progress, [])
      if (is_whole) return null
    }
    const row = deliveryOf(this.webhook, this.#ahead[0]!, this.#progress.round, this.#ports.now())
    await this.#ports.write([insertDelivery(row)])
    this.#current = row
    return row
  }

  async #attempt(delivery: WebhookDeliveryRow): Promise<void> {
    const { webhook } = this
    const event = await this.#eventOf(delivery)
    // An event may be read before the change of the webhook that was committed before it is noticed.
    const changed = await this.#ports.work.changedSince(webhook)
    if (changed !== null) return this.change(changed)
    const attempted_at = this.#ports.now()
    const result = await this.#ports.send(webhook, event)
    const before = { webhook, delivery, progress: this.#progress }
    const { now, random, retry } = this.#ports
    const after = concludeAttempt(before, result, now(), random(), retry)
    const { duration_ms, status_code, failure, message, answer } = result
    const attempt = { attempted_at, duration_ms, status_code, failure, message, answer }
    const { delivery_id, attempt_count: attempt_number } = after.delivery
    await this.#save(after.progress, [recordAttempt(after.delivery, { delivery_id, attempt_number, ...attempt })])
    this.#keep(after.delivery)
    this.#ports.concluded(webhook, after.delivery, result)
    if (after.disable === null || this.webhook !== webhook) return
    await this.#ports.disable(webhook, after.disable)
    if (this.webhook === webhook) this.webhook = { ...webhook, status: 'disabled', disabled_reason: after.disable }
  }

  #keep(delivery: WebhookDeliveryRow): void {
    const is_over = delivery.status !== 'pending'
    if (delivery.kind !== 'event') {
      this.#beside = is_over ? this.#beside.slice(1) : [delivery, ...this.#beside.slice(1)]
      return
    }
    this.#current = is_over ? null : delivery
    if (!is_over) return
    this.#ahead = this.#ahead.filter(({ sequence }) => sequence > delivery.sequence)
    // One that an earlier process had recorded was not read ahead.
    this.#read_to = Math.max(this.#read_to, delivery.sequence)
  }

  /** Returns the event of a delivery: it follows from the engine's events, so nothing keeps it meanwhile. */
  async #eventOf({ event_id, event_type, sequence, kind }: WebhookDeliveryRow): Promise<WebhookEvent> {
    const known = this.#ahead.find((event) => event.event_id === event_id)
    if (known !== undefined) return known
    const { webhook } = this
    if (kind === 'test' || event_type === 'webhook.test') {
      const [request] = await this.#ports.work.changesAfter(webhook.account_id, sequence - 1, 1)
      invariant(request?.engine_sequence === sequence, `the test ${event_id} was asked for`)
      return testEvent(request)
    }
    const asked = { account_id: webhook.account_id, types: [event_type], after: sequence - 1, limit: 1 }
    const [event] = (await this.#ports.events(asked)).events
    invariant(event?.event_id === event_id, `the event ${event_id} of a delivery follows from the engine's events`)
    return event
  }
}

/** Longest sleep of a lane that nobody wakes; also the reach of a timer. */
const LONGEST_SLEEP_MS = 3_600_000

function isRequest({ action }: WebhookChangeEvent): boolean {
  return (WEBHOOK_REQUESTS as readonly WebhookAction[]).includes(action)
}

/** The id follows from the event and the round, so a delivery that is recorded again after a kill is the same one. */
function deliveryOf(webhook: WebhookRow, event: WebhookEvent, round: number, now: Micros): WebhookDeliveryRow {
  const delivery_id = deriveId('whd', webhook.webhook_id, round, event.sequence)
  return { delivery_id, kind: 'event', ...pendingOf(webhook, event, now) }
}

function testDelivery(request: WebhookChangeEvent, now: Micros): WebhookDeliveryRow {
  const { webhook_id, engine_sequence } = request
  const delivery_id = requestedDeliveryId(webhook_id, engine_sequence, 'test')
  return { delivery_id, kind: 'test', ...pendingOf(request, testEvent(request), now) }
}

function pendingOf(
  { webhook_id, account_id }: Pick<WebhookRow, 'webhook_id' | 'account_id'>,
  { event_id, event_type, sequence }: WebhookEvent,
  now: Micros,
): Omit<WebhookDeliveryRow, 'delivery_id' | 'kind'> {
  return {
    ...{ webhook_id, account_id, event_id, event_type, sequence, status: 'pending', attempt_count: 0 },
    ...{ created_at: now, next_attempt_at: now, first_failed_at: null, concluded_at: null },
  }
}

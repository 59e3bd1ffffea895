import { setTimeout as pause } from 'node:timers/promises'
import type { BackoffRule } from '../../primitives/backoff.ts'
import type { Micros } from '../../primitives/instants.ts'
import { WEBHOOKS } from '../../protocol/limits.ts'
import type { WebhookEvent } from '../../protocol/resources/webhook.ts'
import type { KeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { WebhookRow } from '../../trading/projections/rows.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import { CommitBell } from '../../trading/store/commit-bell.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import type { StreamReads } from '../../trading/store/read/stream-reads.ts'
import { takeWebhookLease, type WebhookLease } from '../../trading/store/webhooks/webhook-lease.ts'
import { deleteOldDeliveries, webhookWork } from '../../trading/store/webhooks/webhook-work.ts'
import { DeliveryLane, type LanePorts } from './delivery-lane.ts'
import { type PostTimes, postToTarget } from './post-to-target.ts'
import { readWebhookEvents } from './read-webhook-events.ts'
import { Turns } from './turns.ts'
import { UNCOUNTED, type WebhookCounters, type WebhookGauges } from './webhook-metrics.ts'
import { signatureHeaders } from './webhook-secret.ts'
import { openTarget, type TargetRules } from './webhook-target.ts'

export type DelivererPorts = {
  readonly pool: Pool
  readonly stream_reads: StreamReads
  readonly engine: EngineClient
  readonly sealing: KeyEncryptionKey
  readonly targets: TargetRules
  readonly now: () => Micros
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** Receives what went wrong and was or will be tried again. */
  readonly onFailure: (error: unknown, where: string) => void
  /** Receives what became of attempts that were not accepted. @param webhook_id the webhook it is about */
  readonly log?: (message: string, webhook_id: string) => void
  readonly counters?: WebhookCounters
  readonly times?: PostTimes
  readonly retry?: BackoffRule
}

export type Deliverer = {
  readonly gauges: () => WebhookGauges
  /** Stops new attempts and ends those under way; what they were of is tried again by the next process. */
  close(): Promise<void>
}

/** Interval between attempts to become the process that delivers. */
const LEASE_MS = 2_000
/** Longest and shortest time between two looks for news. */
const LOOK_MS = 2_000
const GATHER_MS = 100
/** Wait before a lane continues after an error of this process or of the database. */
const AGAIN_MS = 5_000
const CLEAN_MICROS = 3_600_000_000
const USER_AGENT = 'tidemark-webhooks/1'
const ACTOR = 'webhooks'

/** Delivers webhooks while it holds the database's one lease; until then it stands by. */
export function startDeliverer(ports: DelivererPorts): Deliverer {
  const end = new AbortController()
  let leading: Leading | null = null
  const work = async () => {
    while (!end.signal.aborted) {
      const lease = await takeWebhookLease(ports.pool).catch(() => null)
      if (lease !== null) {
        leading = new Leading(ports, lease, end.signal)
        await leading.run().catch((error: unknown) => ports.onFailure(error, 'webhooks'))
        leading = null
        await lease.release().catch(() => undefined)
      }
      await pause(LEASE_MS, undefined, { signal: end.signal }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    gauges: () => leading?.gauges() ?? STANDING_BY,
    close: async () => {
      end.abort()
      await working
    },
  }
}

/** Numbers of a process that does not deliver. */
export const STANDING_BY: WebhookGauges = {
  delivers: false,
  webhooks: 0,
  pending: 0,
  failing: 0,
  in_flight: 0,
  oldest_pending_s: null,
}

/** One time in which this process holds the lease. */
class Leading {
  readonly #ports: DelivererPorts
  readonly #lease: WebhookLease
  readonly #signal: AbortSignal
  readonly #lanes = new Map<string, DeliveryLane>()
  readonly #running = new Set<Promise<void>>()
  readonly #turns = new Turns(WEBHOOKS.in_flight_max)
  readonly #work: ReturnType<typeof webhookWork>
  readonly #lane_ports: LanePorts
  #known_sequence = 0
  #cleaned_at: Micros = 0

  constructor(ports: DelivererPorts, lease: WebhookLease, end: AbortSignal) {
    this.#ports = ports
    this.#lease = lease
    this.#signal = AbortSignal.any([end, lease.lost])
    this.#work = webhookWork(ports.pool)
    this.#lane_ports = this.#portsOfLanes()
  }

  gauges(): WebhookGauges {
    const lanes = [...this.#lanes.values()]
    const pending = lanes.map((lane) => lane.pending())
    const since = pending.flatMap((one) => one.since ?? [])
    return {
      delivers: true,
      webhooks: lanes.filter(({ webhook }) => webhook.status === 'enabled').length,
      pending: pending.reduce((sum, { count }) => sum + count, 0),
      failing: lanes.filter((lane) => lane.isFailing()).length,
      in_flight: this.#turns.taken,
      oldest_pending_s: since.length === 0 ? null : (this.#ports.now() - Math.min(...since)) / 1_000_000,
    }
  }

  /** Follows the engine's commits, until the lease is lost or the service stops. */
  async run(): Promise<void> {
    const bell = new CommitBell(this.#ports.pool)
    try {
      while (!this.#signal.aborted) {
        await bell.listen()
        await this.#look().catch((error: unknown) => {
          if (!isTableMissing(error)) this.#fail(error, 'webhooks')
        })
        await bell.wait(LOOK_MS, this.#signal)
        await pause(GATHER_MS, undefined, { signal: this.#signal }).catch(() => undefined)
      }
    } finally {
      bell.close()
      await Promise.all(this.#running)
    }
  }

  async #look(): Promise<void> {
    for (const found of await this.#work.changedAfter(this.#known_sequence)) {
      const lane = this.#lanes.get(found.webhook_id)
      if (lane === undefined) this.#open(new DeliveryLane(found, this.#lane_ports))
      else lane.change(found)
      this.#known_sequence = found.engine_sequence
    }
    const idle = [...this.#lanes.values()].flatMap((lane) => lane.idlePlaces())
    for (const webhook_id of await this.#work.withNews(idle)) this.#lanes.get(webhook_id)?.wake()
    const now = this.#ports.now()
    if (now - this.#cleaned_at < CLEAN_MICROS) return
    this.#cleaned_at = now
    await this.#lease.write([deleteOldDeliveries(now)])
  }

  #open(lane: DeliveryLane): void {
    const { webhook_id } = lane.webhook
    this.#lanes.set(webhook_id, lane)
    const running = this.#keepRunning(lane).finally(() => {
      this.#lanes.delete(webhook_id)
      this.#running.delete(running)
    })
    this.#running.add(running)
  }

  async #keepRunning(lane: DeliveryLane): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        return await lane.run(this.#signal)
      } catch (error) {
        if (this.#signal.aborted) return
        this.#fail(error, `webhook ${lane.webhook.webhook_id}`)
        await pause(AGAIN_MS, undefined, { signal: this.#signal }).catch(() => undefined)
      }
    }
  }

  #fail(error: unknown, where: string): void {
    if (!this.#signal.aborted) this.#ports.onFailure(error, where)
  }

  #portsOfLanes(): LanePorts {
    const { stream_reads, now, random, counters = UNCOUNTED, log, retry = WEBHOOKS.retry } = this.#ports
    return {
      work: this.#work,
      write: (statements) => this.#lease.write(statements),
      events: (asked) => readWebhookEvents(stream_reads, asked),
      send: (webhook, event) => this.#turns.take(() => this.#send(webhook, event)),
      disable: (webhook, reason) => this.#disable(webhook, reason),
      concluded: (webhook, delivery, { failure, status_code }) => {
        const { delivery_id, event_type, status, attempt_count } = delivery
        if (status === 'delivered' || status === 'failed') counters.concluded(status)
        if (failure === null) return
        const answered = status_code === null ? failure : `${failure} ${status_code}`
        const what = `attempt ${attempt_count} of ${delivery_id} (${event_type}, ${webhook.account_id})`
        log?.(`${what}: ${answered}; the delivery is ${status}`, webhook.webhook_id)
      },
      now,
      random,
      retry,
    }
  }

  async #send(webhook: WebhookRow, event: WebhookEvent) {
    const { targets, sealing, now, counters = UNCOUNTED, times } = this.#ports
    this.#signal.throwIfAborted()
    const begun_ms = performance.now()
    const body = JSON.stringify(event)
    const signed = signatureHeaders(webhook, sealing, { event_id: event.event_id, body }, now())
    const message = { headers: { ...signed, 'user-agent': USER_AGENT }, body }
    const target = await openTarget(webhook.url, targets)
    const clock = { now_ms: () => Math.floor(now() / 1000), signal: this.#signal }
    const result =
      'failure' in target
        ? { ...target, status_code: null, answer: null, retry_after_ms: null }
        : await postToTarget(target, message, clock, times)
    // An attempt that the end of this process cut off says nothing about its receiver.
    this.#signal.throwIfAborted()
    const took_ms = performance.now() - begun_ms
    counters.attempted(result.failure ?? 'accepted', took_ms / 1000)
    return { ...result, duration_ms: Math.round(took_ms) }
  }

  async #disable(webhook: WebhookRow, disabled_reason: 'gone' | 'failing'): Promise<void> {
    const { webhook_id, account_id, projection_version } = webhook
    const { engine, counters = UNCOUNTED, log } = this.#ports
    const reason = disabled_reason === 'gone' ? 'its receiver answered 410' : 'its receiver accepted nothing for days'
    await performAct(
      engine,
      {
        act_id: `${webhook_id}/${projection_version}`,
        actor: ACTOR,
        reason,
        command: { kind: 'disable_webhook', webhook_id, projection_version, disabled_reason },
      },
      this.#signal,
    )
    counters.disabled(disabled_reason)
    log?.(`disabled (${disabled_reason}) for ${account_id}: ${reason}`, webhook_id)
  }
}

/** Reports whether the engine has not created the tables yet. */
function isTableMissing(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === '42P01'
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ENGINE } from '../../protocol/limits.ts'
import type { EngineState } from '../engine/state.ts'
import type { Pool } from '../store/create-pool.ts'
import { deleteExpired } from '../store/delete-expired.ts'
import { connectEngineDatabase, type EngineConnection } from '../store/engine-connection.ts'
import { KnownKeys } from '../store/known-keys.ts'
import { announceLeader, type Lease, type LeaseState, readLease, releaseLease, takeLease } from '../store/lease.ts'
import type { EngineClient, EngineStatus } from './engine-client.ts'
import { ENGINE_CORE, type EngineCore } from './engine-core.ts'
import { refuseForeignKey, requireOwnDatabase } from './engine-environment.ts'
import { listenForSubmissions, type SubmissionServer } from './engine-server.ts'
import type { GatherRule } from './gathering.ts'
import { killPoint } from './kill-point.ts'
import { type CommittedBatch, Leader } from './leader.ts'
import type { LinkSecurity } from './link-security.ts'
import { SubmissionQueue, unavailable } from './submission-queue.ts'

export type EngineOptions = {
  readonly pool: Pool
  /** Wall clock in microseconds. */
  readonly now: () => Micros
  /** Name of this engine for people: a host and process. */
  readonly holder: string
  /** host:port to accept submissions of other processes at, port 0: a free one; null: only this process submits. */
  readonly address: string | null
  /** host:port that other machines reach it at; null or missing: the address. */
  readonly advertised_address?: string | null
  /** TLS of the link; null or missing: none, and the address is on loopback. */
  readonly security?: LinkSecurity | null
  /** Environment of the process: operators' keys are of it alone. Missing: of any. */
  readonly environment?: string
  /** NAME or NAME:COUNT of kill-point.ts; for tests. */
  readonly killpoint?: string
  readonly lease_ms?: number
  /** Greatest number of waiting submissions. */
  readonly queue_max?: number
  readonly batch_max?: number
  /** When to delay a batch; missing: GATHER_RULE. */
  readonly gather?: GatherRule
  readonly core?: EngineCore
  readonly onBatch?: (batch: CommittedBatch) => void
  /** Called when this engine leads in place of another one, or again. */
  readonly onTakeover?: (takeover: Takeover) => void
  /** Called when another engine has taken the lease of this one, which stands by from now on. */
  readonly onDeposed?: (by: Pick<LeaseState, 'epoch' | 'holder'>) => void
  /** Receives faults and lost connections; the engine continues by itself. */
  readonly onFault?: (error: unknown) => void
  /** Receives why callers of the link were refused. */
  readonly onRefused?: (message: string) => void
}

/** A change of the leader, seen by the new one. */
export type Takeover = {
  readonly epoch: number
  /** Time since a leader was last seen, at most a renewal (1 s) more than nobody led. */
  readonly gap_ms: number
}

export type StartedEngine = {
  /** In-process client; accepts submissions while this engine leads. */
  readonly client: EngineClient
  /** host:port that it announces; null: none. */
  readonly address: string | null
  /** Resolves when it first becomes leader. */
  readonly leading: Promise<void>
  /** The state in memory while it leads; null otherwise. */
  readonly state: () => EngineState | null
  /** Answers waiting submissions, returns the lease and closes the connection. */
  stop(): Promise<void>
}

/** Duration of the lease, after which a paused leader is replaced: a standby serves in under 5 s. */
const LEASE_MS = 3_000
/**
 * Lease while the state is read, which may take long and renews nothing; an engine that is killed meanwhile is still replaced at
 * once.
 */
const LOADING_MS = 30_000
const BATCH_MAX = 1_000
const STANDBY_MS = 100
const EXPIRED_MS = 30_000

/**
 * Starts an engine: it leads once the lease is free, stands by while another engine holds it, and after every fault reloads its
 * state from the database, the only source of truth.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the operators of the database are of another environment
 */
export async function startEngine(options: EngineOptions): Promise<StartedEngine> {
  const { pool, environment } = options
  if (environment !== undefined) await requireOwnDatabase(pool, environment)
  const engine = new Engine(options)
  await engine.listen()
  const ended = engine.run()
  const { client, leading } = engine
  const stop = async () => {
    engine.stop()
    await ended
  }
  return { client: { ...client, close: stop }, address: engine.address, leading, state: () => engine.state, stop }
}

class Engine {
  readonly #options: EngineOptions
  readonly #queue: SubmissionQueue
  readonly #token = randomBytes(32).toString('hex')
  readonly #stop = new AbortController()
  readonly leading: Promise<void>
  #isLeading: () => void = () => undefined
  #phase: EngineStatus['phase'] = 'starting'
  #leader: Leader | null = null
  #epoch: number | null = null
  #engine_sequence = 0
  #server: SubmissionServer | null = null
  /** Last sign of a leader, this engine or another: its lease, and when it was seen; null: none since the start. */
  #seen: { readonly expires_at: Micros | null; readonly at_ms: number } | null = null

  constructor(options: EngineOptions) {
    this.#options = options
    this.#queue = new SubmissionQueue(options.queue_max ?? ENGINE.queue_max, options.gather)
    this.leading = new Promise((resolve) => {
      this.#isLeading = resolve
    })
  }

  get address(): string | null {
    return this.#server?.address ?? null
  }

  get state(): EngineState | null {
    return this.#leader?.state ?? null
  }

  get client(): EngineClient {
    return {
      submit: async (submission) => {
        const { environment } = this.#options
        if (environment !== undefined) refuseForeignKey(submission, environment)
        if (this.#phase !== 'leading') throw this.#notLeading()
        return this.#queue.add(submission)
      },
      status: () => this.#status(),
      close: async () => this.stop(),
    }
  }

  async listen(): Promise<void> {
    const { address } = this.#options
    if (address === null) return
    this.#server = await listenForSubmissions({ ...this.#options, address }, this.#token, this.client)
  }

  stop(): void {
    this.#phase = 'stopping'
    this.#stop.abort()
    this.#leader?.stop()
  }

  async run(): Promise<void> {
    const cleaning = setInterval(() => void this.#clean(), EXPIRED_MS)
    cleaning.unref()
    while (!this.#stop.signal.aborted) {
      const ended = await this.#stand().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (!this.#stop.signal.aborted) await this.#rest()
      if (ended !== null) await this.#reportEnd(ended.error)
    }
    clearInterval(cleaning)
    this.#queue.refuseAll(this.#notLeading())
    await this.#server?.close()
  }

  /** Serves one connection: waits for the lease and leads until a fault or the stop. */
  async #stand(): Promise<void> {
    const { pool } = this.#options
    const connection = await connectEngineDatabase(pool)
    try {
      const lease = await this.#waitForLease(connection)
      if (lease !== null) await this.#lead(connection, lease)
    } finally {
      if (this.#leader !== null) this.#seen = { expires_at: null, at_ms: performance.now() }
      this.#leader = null
      if (this.#phase === 'leading') this.#phase = 'recovering'
      this.#queue.refuseAll(this.#notLeading())
      await connection.close()
    }
  }

  /** Reports why a connection ended: that another engine took the lease is no fault. */
  async #reportEnd(error: unknown): Promise<void> {
    const { pool, onDeposed, onFault } = this.#options
    const lease = this.#epoch === null ? null : await readLease(pool).catch(() => null)
    if (lease !== null && lease.epoch > this.#epoch!) onDeposed?.(lease)
    else onFault?.(error)
  }

  async #waitForLease(connection: EngineConnection): Promise<Lease | null> {
    const onHeld = ({ expires_at }: LeaseState) => {
      if (expires_at !== this.#seen?.expires_at) this.#seen = { expires_at, at_ms: performance.now() }
    }
    const candidate = { holder: this.#options.holder, lease_ms: LOADING_MS, onHeld }
    while (!this.#stop.signal.aborted) {
      const lease = await takeLease(connection, candidate, this.#epoch)
      if (lease !== null) return lease
      if (this.#phase !== 'stopping') this.#phase = 'standby'
      await this.#rest()
    }
    return null
  }

  async #lead(connection: EngineConnection, lease: Lease): Promise<void> {
    const {
      now,
      lease_ms = LEASE_MS,
      batch_max = BATCH_MAX,
      core = ENGINE_CORE,
      onBatch,
      onFault,
      onTakeover,
    } = this.#options
    this.#epoch = lease.epoch
    const { killpoint = '' } = this.#options
    const reach = killpoint === '' ? null : killPoint(killpoint)
    await reach?.('after-lease')
    const known_keys = new KnownKeys()
    const shared = { connection, lease, lease_ms, core, queue: this.#queue, known_keys, now, reach, batch_max, onFault }
    const leader = await Leader.load({ ...shared, onBatch })
    const token = this.address === null ? null : this.#token
    if (!(await announceLeader(connection, lease, { address: this.address, token, lease_ms }))) return
    this.#leader = leader
    if (!this.#stop.signal.aborted) this.#phase = 'leading'
    else leader.stop()
    this.#isLeading()
    const { epoch } = lease
    if (this.#seen !== null) onTakeover?.({ epoch, gap_ms: performance.now() - this.#seen.at_ms })
    await this.#readingKeys(known_keys, () => leader.run())
    this.#engine_sequence = leader.engine_sequence
    await releaseLease(connection, lease)
  }

  /** Reads the known keys in the background. Nothing waits for them: if it fails, the database is asked for each key. */
  async #readingKeys(known_keys: KnownKeys, work: () => Promise<void>): Promise<void> {
    const { pool, onFault } = this.#options
    const end = new AbortController()
    known_keys.read(pool, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) onFault?.(error)
    })
    await work().finally(() => end.abort())
  }

  /** Waits for a moment, or until the stop. */
  async #rest(): Promise<void> {
    await sleep(STANDBY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined)
  }

  async #clean(): Promise<void> {
    const { pool, now, onFault } = this.#options
    if (this.#phase === 'leading') await deleteExpired(pool, now()).catch((error: unknown) => onFault?.(error))
  }

  #notLeading(): ServiceError {
    return unavailable(`it is ${this.#phase}`, { phase: this.#phase })
  }

  #status(): EngineStatus {
    const engine_sequence = this.#leader?.engine_sequence ?? this.#engine_sequence
    const poisoned_submissions = this.#leader?.poisoned_submissions ?? 0
    const [phase, epoch] = [this.#phase, this.#epoch ?? 0]
    const { length: queued, refused: queue_refused } = this.#queue
    return { phase, epoch, engine_sequence, queued, poisoned_submissions, queue_refused }
  }
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import type { Pool } from '../store/create-pool.ts'
import { readLease } from '../store/lease.ts'
import { outcomeUnknown } from './batch-failure.ts'
import { type EngineClient, type EngineStatus, UNREACHED } from './engine-client.ts'
import { FrameReader, FrameWriter } from './frames.ts'
import { type LinkPlace, readPlace } from './link-address.ts'
import { type LinkSecurity, secureOptions, securityReason } from './link-security.ts'
import type { FromEngine, ToEngine } from './socket-messages.ts'
import { unavailable } from './submission-queue.ts'

export type ConnectOptions = {
  readonly pool: Pool
  /** TLS of the link; null or missing: none, and only an engine on this machine is followed. */
  readonly security?: LinkSecurity | null
  /** Time after which a submission without an answer has an unknown outcome. */
  readonly answer_ms?: number
  /** Longest wait of a submission for a leader. */
  readonly leader_ms?: number
}

const ANSWER_MS = 10_000
/** Longer than a standby takes to become leader. */
const LEADER_MS = 6_000
const RETRY_MS = 100
const CONNECT_MS = 1_000

/** The engine sends its status every second; one that is silent for longer is paused or gone. */
const SILENCE_MS = 3_000
/** Delay before the lease is read again after a leader could not be reached; another engine may lead then. */
const NOT_CONNECTED = { phase: 'starting' } as const

/**
 * Connects to the engine over its socket. The leader's address is read from the lease's row, and again after each lost
 * connection, so that it follows a new leader. A submission sent before a connection broke has an unknown outcome; an unsent one
 * waits for the next connection.
 */
export function connectEngine(options: ConnectOptions): EngineClient {
  const link = new EngineLink(options)
  return {
    submit: (submission) => link.submit(submission),
    status: () => link.status,
    close: async () => link.close(),
  }
}

type Connection = { readonly socket: Socket; readonly writer: FrameWriter }

type Waiting = {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: ServiceError) => void
  readonly timer: NodeJS.Timeout
}

class EngineLink {
  readonly #pool: Pool
  readonly #security: LinkSecurity | null
  readonly #answer_ms: number
  readonly #leader_ms: number
  readonly #waiting = new Map<number, Waiting>()
  #connection: Promise<Connection> | null = null
  #next_id = 1
  #closed = false
  status: EngineStatus = UNREACHED

  constructor({ pool, security = null, answer_ms = ANSWER_MS, leader_ms = LEADER_MS }: ConnectOptions) {
    this.#pool = pool
    this.#security = security
    this.#answer_ms = answer_ms
    this.#leader_ms = leader_ms
  }

  /**
   * Sends a submission. A leader that steps down refuses what it has not accepted; the next one is tried until the time is over.
   */
  async submit(submission: Submission): Promise<Answer> {
    const end = performance.now() + this.#leader_ms
    for (;;) {
      try {
        return await this.#hand(submission, await this.#connected())
      } catch (error) {
        // An overloaded leader is not retried: its caller should know at once.
        const may_retry = isServiceError(error, 'SERVICE_UNAVAILABLE') && error.facts.phase !== undefined
        if (!may_retry || this.#closed || performance.now() > end) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  close(): void {
    this.#closed = true
    void this.#connection?.then(({ socket }) => socket.destroy()).catch(() => undefined)
    this.#drop()
  }

  #hand(submission: Submission, { writer }: Connection): Promise<Answer> {
    const id = this.#next_id
    this.#next_id += 1
    return new Promise((resolve, reject) => {
      writer.send({ kind: 'submit', id, submission } satisfies ToEngine)
      // The link itself is watched by the engine's status: one request without an answer is no reason to end the others.
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(outcomeUnknown())
      }, this.#answer_ms)
      this.#waiting.set(id, { resolve, reject, timer })
    })
  }

  #connected(): Promise<Connection> {
    if (this.#closed) throw unavailable('this client is closed')
    this.#connection ??= this.#open().catch((error: unknown) => {
      this.#connection = null
      throw isServiceError(error) ? error : unavailable('it cannot be reached', NOT_CONNECTED, error)
    })
    return this.#connection
  }

  async #open(): Promise<Connection> {
    const lease = await readLease(this.#pool)
    if (lease === null || lease.address === null) {
      throw unavailable('nobody leads at an address', NOT_CONNECTED)
    }
    const socket = openSocket(placeOf(lease.address, this.#security !== null), this.#security)
    const [reader, writer] = [new FrameReader(), new FrameWriter(socket)]
    const greeted = new Promise<void>((resolve, reject) => {
      let silence = setTimeout(() => socket.destroy(), CONNECT_MS)
      let failure: unknown = null
      let is_unanswered = false
      // The token is said to an engine whose certificate was accepted, never before.
      socket.once(this.#security === null ? 'connect' : 'secureConnect', () => {
        is_unanswered = true
        writer.send({ kind: 'hello', token: lease.token ?? '' } satisfies ToEngine)
      })
      socket.on('data', (chunk: Buffer) => {
        clearTimeout(silence)
        silence = setTimeout(() => socket.destroy(), SILENCE_MS)
        is_unanswered = false
        this.#read(reader, chunk, socket)
        resolve()
      })
      socket.on('error', (error) => {
        failure = error
      })
      socket.on('close', () => {
        clearTimeout(silence)
        this.#drop()
        const reason = is_unanswered ? unansweredReason(this.#security) : brokenReason(failure)
        reject(unavailable(reason, NOT_CONNECTED, failure))
      })
    })
    await greeted
    return { socket, writer }
  }

  #read(reader: FrameReader, chunk: Buffer, socket: Socket): void {
    try {
      for (const message of reader.push(chunk) as FromEngine[]) this.#receive(message, socket)
    } catch {
      socket.destroy()
    }
  }

  #receive(message: FromEngine, socket: Socket): void {
    if (message.kind === 'status') {
      this.status = message.status
      // The engine has lost the lease but still listens: read the leader's address again.
      if (message.status.phase === 'standby') socket.destroy()
      return
    }
    const waiting = this.#waiting.get(message.id)
    if (waiting === undefined) return
    this.#waiting.delete(message.id)
    clearTimeout(waiting.timer)
    if (message.kind === 'answer') waiting.resolve(message.answer)
    else waiting.reject(new ServiceError(message.code, message.message, message.facts))
  }

  /** After a lost connection, submissions already sent have an unknown outcome. */
  #drop(): void {
    this.#connection = null
    for (const [id, { reject, timer }] of this.#waiting) {
      clearTimeout(timer)
      this.#waiting.delete(id)
      reject(outcomeUnknown())
    }
  }
}

/** Reads the address of a lease. Its text comes from the database: without TLS one of another machine is reached by nobody. */
function placeOf(address: string, is_secured: boolean): LinkPlace {
  try {
    return readPlace('the address of the lease', address, is_secured)
  } catch (error) {
    const message = 'its address is not on this machine, and this process has no TLS for the link'
    throw unavailable(message, NOT_CONNECTED, error)
  }
}

function openSocket(place: LinkPlace, security: LinkSecurity | null): Socket {
  if (security === null) return connect({ ...place, noDelay: true })
  const socket = connectSecurely({ ...secureOptions(security), ...place })
  return socket.setNoDelay(true)
}

/** Node tells a caller nothing when it refuses the caller's certificate; the engine's log has the reason. */
function unansweredReason(security: LinkSecurity | null): string {
  return security === null
    ? 'it ended the connection without an answer: where its link has TLS, this process needs the settings of it too'
    : "it ended the connection without an answer: it refuses this process's certificate or token, and its log says why"
}

function brokenReason(failure: unknown): string {
  const reason = securityReason(failure)
  if (reason !== null) return `TLS failed, its ${reason}`
  const { message = '' } = (failure ?? {}) as Partial<Error>
  return message.includes('before secure TLS') || message.includes('read ECONNRESET')
    ? 'it ended the connection before TLS began: its link has none, or it stopped'
    : 'its connection was refused or lost'
}

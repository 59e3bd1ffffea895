import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import type { Pool } from '../store/create-pool.ts'
import { readLease } from '../store/lease.ts'
import { outcomeUnknown } from './batch-failure.ts'
import { type EngineClient, type EngineStatus, UNREACHED } from './engine-client.ts'
import { parseAddress } from './engine-server.ts'
import { FrameReader, FrameWriter } from './frames.ts'
import type { FromEngine, ToEngine } from './socket-messages.ts'
import { unavailable } from './submission-queue.ts'

export type ConnectOptions = {
  readonly pool: Pool
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
  readonly #answer_ms: number
  readonly #leader_ms: number
  readonly #waiting = new Map<number, Waiting>()
  #connection: Promise<Connection> | null = null
  #next_id = 1
  #closed = false
  status: EngineStatus = UNREACHED

  constructor({ pool, answer_ms = ANSWER_MS, leader_ms = LEADER_MS }: ConnectOptions) {
    this.#pool = pool
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
    const socket = connect({ ...addressOf(lease.address), noDelay: true })
    const [reader, writer] = [new FrameReader(), new FrameWriter(socket)]
    const greeted = new Promise<void>((resolve, reject) => {
      let silence = setTimeout(() => socket.destroy(), CONNECT_MS)
      socket.on('data', (chunk: Buffer) => {
        clearTimeout(silence)
        silence = setTimeout(() => socket.destroy(), SILENCE_MS)
        this.#read(reader, chunk, socket)
        resolve()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearTimeout(silence)
        this.#drop()
        reject(unavailable('its connection was refused or lost', NOT_CONNECTED))
      })
    })
    writer.send({ kind: 'hello', token: lease.token ?? '' } satisfies ToEngine)
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

/** Reads the address of a lease. Its text comes from the database: one that is not on this machine is reached by nobody. */
function addressOf(address: string): ReturnType<typeof parseAddress> {
  try {
    return parseAddress(address)
  } catch (error) {
    throw unavailable('its address is not on this machine', NOT_CONNECTED, error)
  }
}

import { shown } from '../../given.ts'
import { isRecord } from '../../http/answer.ts'
import { callBack } from '../../platform.ts'
import { aheadOf } from '../../signing/clock.ts'
import type { RequestKey } from '../../signing/sign-request.ts'
import { signStreamAuth } from '../../signing/sign-stream-auth.ts'
import { clientError, TidemarkError, toldError } from '../../tidemark-error.ts'
import type { Heard, TopicMessage } from './followed-topic.ts'
import { brokenMessage, type OpenSocket, type RetryWaits, SocketMessages, type StreamWatch } from './stream-socket.ts'
import type { Resume } from './topic-resources.ts'

/** State of one subscription over any number of connections. */
export type Follower = {
  readonly topic: string
  readonly filters: Readonly<Record<string, string>>
  /** Returns the cursor to subscribe from; null: from a snapshot. Called once for each subscription. */
  subscribeFrom(): Resume | null
  hear(message: TopicMessage): Heard
  /** Compares with the last seq of a heartbeat. */
  hearPosition(last_seq: number): Heard
  /** Ends the follower with an error that no other connection mends. */
  fail?(problem: TidemarkError): void
}

export type ConnectionOptions = StreamWatch & {
  /** http or https, without /v1 and trailing slash. */
  readonly base_url: string
  /** null: the connection needs no authentication. */
  readonly key: RequestKey | null
  readonly open: OpenSocket
  /** true: after an interruption without followers it connects again only when one is added and it is started. */
  readonly is_lazy?: boolean
}

const ANSWER_MS = 15_000
/** Default silence after which a connection counts as lost, in heartbeats. */
const SILENT_BEATS = 2.5
/** Heartbeats that a service may choose. */
const BEAT_MS = { min: 1_000, max: 60_000 }
const RETRY_MS: RetryWaits = { first: 250, max: 10_000 }

type Followed = { readonly follower: Follower; sid: string | null; readonly id: string }

/** One connection of a stream, made again after each interruption; its followers resume. */
export class StreamConnection {
  readonly #options: ConnectionOptions
  readonly #followed = new Set<Followed>()
  /** Ended before the service had answered: only its answer has the id by which to unsubscribe. */
  readonly #leaving = new Set<Followed>()
  #messages: SocketMessages | null = null
  #is_ready = false
  /** Whether the connection brought a state, an event or a heartbeat, and nothing broken after it. */
  #is_useful = false
  #is_running = false
  #is_closed = false
  #made = 0
  #beat_ms = ANSWER_MS
  #wake: () => void = () => undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Connects, unless it is connected. */
  start(): void {
    if (this.#is_running || this.#is_closed) return
    this.#is_running = true
    void this.#run()
  }

  get is_closed(): boolean {
    return this.#is_closed
  }

  /** Adds a follower. @returns a function that ends it */
  follow(follower: Follower): () => void {
    this.#made += 1
    const followed: Followed = { follower, sid: null, id: `f${this.#made}` }
    this.#followed.add(followed)
    if (this.#is_ready) this.#subscribe(followed)
    return () => {
      if (!this.#followed.delete(followed) || !this.#is_ready) return
      if (followed.sid !== null) this.#unsubscribe(followed.sid)
      else this.#leaving.add(followed)
    }
  }

  get follower_count(): number {
    return this.#followed.size
  }

  /** Returns whether the connection is subscribed to a topic with these filters: the service allows that once. */
  isFollowing(wanted: Pick<Follower, 'topic' | 'filters'>): boolean {
    return [...this.#followed, ...this.#leaving].some(({ follower }) => subjectOf(follower) === subjectOf(wanted))
  }

  /** Subscribes a follower again from its cursor; while it is not subscribed, that is going to happen anyway. */
  again(follower: Follower): void {
    const followed = [...this.#followed].find((one) => one.follower === follower)
    if (this.#is_ready && followed !== undefined && followed.sid !== null) this.#again(followed)
  }

  close(): void {
    this.#is_closed = true
    this.#followed.clear()
    this.#messages?.close()
    this.#wake()
  }

  async #run(): Promise<void> {
    const { first, max } = this.#options.retry_ms ?? RETRY_MS
    for (let wait_ms = first; !this.#is_closed; wait_ms = Math.min(2 * wait_ms, max)) {
      const problem = await this.#connected().catch(asTidemark)
      const was_ready = this.#is_ready
      if (this.#is_useful) wait_ms = first
      this.#is_useful = false
      this.#is_ready = false
      this.#leaving.clear()
      if (this.#is_closed) return
      if (was_ready) callBack(this.#options.onState, 'disconnected')
      callBack(this.#options.onProblem, problem)
      if (!problem.retryable) return this.#fail(problem)
      await this.#pause(wait_ms)
      if (this.#options.is_lazy === true && this.#followed.size === 0) break
    }
    this.#is_running = false
  }

  /** Waits, or until the stream is closed. */
  #pause(wait_ms: number): Promise<void> {
    return new Promise((next) => {
      const timer = setTimeout(next, wait_ms)
      this.#wake = () => {
        clearTimeout(timer)
        next()
      }
    })
  }

  #fail(problem: TidemarkError): void {
    const ended = [...this.#followed]
    this.close()
    for (const { follower } of ended) follower.fail?.(problem)
  }

  /** Runs one connection to its end. @returns the error that ended it */
  async #connected(): Promise<TidemarkError> {
    const messages = new SocketMessages(this.#options.open(`${this.#options.base_url.replace(/^http/, 'ws')}/v1/ws`))
    this.#messages = messages
    try {
      await this.#begin(messages)
      for (const followed of this.#followed) this.#subscribe(followed)
      callBack(this.#options.onState, 'connected')
      return await this.#heardToEnd(messages)
    } catch (error) {
      this.#is_useful = false
      throw error instanceof TidemarkError ? error : brokenMessage('it lacks what it must have', error)
    } finally {
      messages.close()
    }
  }

  /** Hears messages until the connection ends. In the middle of a silence it asks for a sign of life. */
  async #heardToEnd(messages: SocketMessages): Promise<TidemarkError> {
    const silence_ms = this.#options.silence_ms ?? SILENT_BEATS * this.#beat_ms
    let closing: string | null = null
    for (let is_asked = false; ; ) {
      const message = await messages.next(silence_ms / 2)
      if (message === null && (is_asked || messages.is_closed))
        return lost(messages.is_closed ? (closing ?? 'the connection closed') : `nothing came for ${silence_ms} ms`)
      is_asked = message === null
      if (message === null) messages.send({ op: 'ping', id: 'p' })
      else if (message.type === 'closing') closing = `the service closes the connection: ${String(message.reason)}`
      else this.#hear(message as TopicMessage)
    }
  }

  async #begin(messages: SocketMessages): Promise<void> {
    const welcome = await messages.next(ANSWER_MS)
    if (welcome === null) throw messages.unanswered()
    if (welcome.type !== 'welcome') throw brokenMessage(`type is ${shown(welcome.type)}; allowed first: welcome`)
    const { min, max } = BEAT_MS
    this.#beat_ms = Math.min(Math.max(Number(welcome.heartbeat_ms) || ANSWER_MS, min), max)
    const { key } = this.#options
    if (key !== null) await signIn(messages, key, Date.now() + aheadOf(welcome.server_time_ms))
    this.#is_ready = true
  }

  #subscribe(followed: Followed): void {
    const { topic, filters } = followed.follower
    const resume = followed.follower.subscribeFrom()
    followed.sid = null
    const from = resume === null ? {} : { resume }
    this.#messages?.send({ ...filters, op: 'subscribe', id: followed.id, topic, ...from })
  }

  #unsubscribe(sid: string): void {
    this.#messages?.send({ op: 'unsubscribe', id: 'u', sid })
  }

  #hear(message: TopicMessage): void {
    checkMessage(message)
    if (message.type === 'error') this.#refused(message)
    if (message.type === 'heartbeat') this.#compare(message)
    if (message.type === 'subscribed' && this.#leave(message.id)) this.#unsubscribe(message.sid as string)
    const followed = message.type === 'subscribed' ? this.#asked(message.id) : this.#of(message.sid)
    if (followed === undefined) return
    if (message.type === 'subscribed') followed.sid = message.sid as string
    else if (message.type !== 'error') this.#is_useful = true
    if (followed.follower.hear(message) === 'missing') this.#again(followed)
  }

  #compare({ subscriptions }: TopicMessage): void {
    for (const { sid, ...stated } of subscriptions as readonly (SeqFields & { readonly sid: string })[]) {
      const last_seq = checkedSeq(stated, 'last_seq')
      const followed = this.#of(sid)
      if (followed?.follower.hearPosition(last_seq) === 'missing') this.#again(followed)
    }
    this.#is_useful = true
  }

  #again(followed: Followed): void {
    if (followed.sid !== null) this.#unsubscribe(followed.sid)
    this.#subscribe(followed)
  }

  /** An error names the message that was refused, or the subscription that ended; another connection resumes what may pass. */
  #refused({ id, sid, error }: TopicMessage): void {
    const followed = id === null ? this.#of(sid) : this.#asked(id)
    const problem = toldError(error)
    const is_final = id !== null && !problem.retryable
    if (this.#leave(id)) return
    callBack(this.#options.onProblem, problem)
    if (followed === undefined) return
    if (is_final) {
      this.#followed.delete(followed)
      followed.follower.fail?.(problem)
    } else this.#messages?.close()
  }

  /** Forgets a follower that left before this answer. @returns whether there is one */
  #leave(id: unknown): boolean {
    const left = [...this.#leaving].find((one) => one.id === id)
    return left !== undefined && this.#leaving.delete(left)
  }

  #of(sid: unknown): Followed | undefined {
    return [...this.#followed].find((one) => one.sid !== null && one.sid === sid)
  }

  #asked(id: unknown): Followed | undefined {
    return [...this.#followed].find((one) => one.id === id)
  }
}

function subjectOf({ topic, filters }: Pick<Follower, 'topic' | 'filters'>): string {
  return JSON.stringify([topic, ...Object.entries(filters).sort()])
}

/** Authenticates with the time of the service, because the local clock may be some minutes wrong. */
async function signIn(messages: SocketMessages, key: RequestKey, timestamp_ms: number): Promise<void> {
  messages.send(signStreamAuth(key, { id: 'auth', timestamp_ms }))
  const answer = await messages.next(ANSWER_MS)
  if (answer === null) throw lost('auth was not answered')
  if (answer.type === 'error') throw toldError(answer.error)
}

/** Numbers of each message that followers compare: one that compares with nothing would hide what was lost. */
const SEQS: Readonly<Record<string, readonly string[]>> = {
  subscribed: ['seq'],
  event: ['prev_seq', 'seq'],
  snapshot: ['seq'],
  snapshot_end: ['seq'],
  gap: ['from_seq', 'to_seq'],
}
type SeqFields = Readonly<Record<string, unknown>>

/** Checks a message before any follower changes by it. @throws {TidemarkError} SERVICE_UNAVAILABLE */
function checkMessage(message: TopicMessage): void {
  for (const name of SEQS[message.type] ?? []) checkedSeq(message, name)
  if (['event', 'snapshot'].includes(message.type) && !isRecord(message.data))
    throw brokenMessage(`data is ${shown(message.data)}; allowed: an object`)
}

function checkedSeq(fields: SeqFields, name: string): number {
  const seq = fields[name] as number
  if (Number.isSafeInteger(seq) && seq >= 0) return seq
  throw brokenMessage(`${name} is ${shown(seq)}; allowed: an integer from 0 to ${Number.MAX_SAFE_INTEGER}`)
}

function lost(message: string): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', message, true)
}

function asTidemark(error: unknown): TidemarkError {
  return error instanceof TidemarkError ? error : clientError('SERVICE_UNAVAILABLE', String(error), true, error)
}

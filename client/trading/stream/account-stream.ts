import { checkedChoice, checkedObject, checkOptions, refusedArgument } from '../../given.ts'
import { baseUrl } from '../../http/base-url.ts'
import { checkedKey, type RequestKey } from '../../signing/sign-request.ts'
import { signStreamAuth } from '../../signing/sign-stream-auth.ts'
import { clientError, type ErrorObject, TidemarkError } from '../../tidemark-error.ts'
import { FollowedTopic, type TopicListener, type TopicMessage } from './followed-topic.ts'
import { checkRetry, type OpenSocket, type RetryWaits, SocketMessages, socketOpener } from './stream-socket.ts'
import { PRIVATE_TOPICS, type PrivateTopicName, type Resume } from './topic-resources.ts'

export type AccountStreamOptions = {
  /** http or https, without /v1. */
  readonly base_url: string
  readonly key: RequestKey
  /** Opens a WebSocket; default: that of the platform. */
  readonly open?: OpenSocket
  /** Receives the error that ended a connection; the stream reconnects on its own if that may help. */
  readonly onProblem?: (problem: TidemarkError) => void
  /** First and longest wait before the next connection. */
  readonly retry_ms?: RetryWaits
}

export type FollowOptions = {
  readonly market_id?: string
  /** Cursor to resume from, such as `meta.stream_cursor` of a REST answer; left out: start with a snapshot. */
  readonly resume?: Resume
}

/** Private stream of an account: connects, authenticates and resumes after every interruption. */
export type AccountStream = {
  /** Follows a topic. @returns a function that ends it and returns its cursor */
  follow(topic: PrivateTopicName, listener: TopicListener, options?: FollowOptions): () => Resume | null
  /** Closes the connection; no callback runs afterwards. */
  close(): void
}

const ANSWER_MS = 15_000
/** Heartbeats that may be missing before the connection counts as dead. */
const SILENT_BEATS = 2.5
const RETRY_MS = { first: 250, max: 10_000 }

/**
 * Opens the private stream of an account.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: an option is missing or wrong; the platform has no WebSocket and none was given
 */
export function createAccountStream(options: AccountStreamOptions): AccountStream {
  checkOptions(options, ['open', 'onProblem'])
  checkedKey(options.key)
  checkRetry(options.retry_ms)
  const connection = new StreamConnection(
    { ...options, base_url: baseUrl(options.base_url) },
    socketOpener(options.open),
  )
  return {
    follow: (topic, listener, given = {}) => {
      checkedChoice(topic, 'topic', PRIVATE_TOPICS)
      if (typeof listener !== 'function') throw refusedArgument('listener', listener, 'a function')
      return connection.follow(topic, listener, checkedObject(given, 'options'))
    },
    close: () => connection.close(),
  }
}

type Followed = { readonly topic: FollowedTopic; sid: string | null; readonly id: string }

class StreamConnection {
  readonly #options: AccountStreamOptions
  readonly #open: OpenSocket
  readonly #followed = new Set<Followed>()
  #messages: SocketMessages | null = null
  #is_signed_in = false
  #is_closed = false
  #made = 0
  #beat_ms = ANSWER_MS

  constructor(options: AccountStreamOptions, open: OpenSocket) {
    this.#options = options
    this.#open = open
    void this.#run()
  }

  follow(name: PrivateTopicName, listener: TopicListener, { market_id, resume }: FollowOptions): () => Resume | null {
    const topic = new FollowedTopic(name, listener, { market_id: market_id ?? null, resume: resume ?? null })
    this.#made += 1
    const followed: Followed = { topic, sid: null, id: `f${this.#made}` }
    this.#followed.add(followed)
    if (this.#is_signed_in) this.#subscribe(followed)
    return () => {
      this.#followed.delete(followed)
      if (followed.sid !== null && this.#is_signed_in) this.#unsubscribe(followed.sid)
      return topic.resume
    }
  }

  close(): void {
    this.#is_closed = true
    this.#followed.clear()
    this.#messages?.close()
  }

  async #run(): Promise<void> {
    const { first, max } = this.#options.retry_ms ?? RETRY_MS
    for (let wait_ms = first; !this.#is_closed; wait_ms = Math.min(2 * wait_ms, max)) {
      const problem = await this.#connected().catch(asTidemark)
      if (this.#is_signed_in) wait_ms = first
      this.#is_signed_in = false
      if (this.#is_closed) return
      this.#options.onProblem?.(problem)
      if (!problem.retryable) return this.close()
      await new Promise((next) => setTimeout(next, wait_ms))
    }
  }

  /** Runs one connection to its end. @returns the error that ended it */
  async #connected(): Promise<TidemarkError> {
    const messages = new SocketMessages(this.#open(`${this.#options.base_url.replace(/^http/, 'ws')}/v1/ws`))
    this.#messages = messages
    try {
      await this.#signIn(messages)
      for (const followed of this.#followed) this.#subscribe(followed)
      for (;;) {
        const message = await messages.next(SILENT_BEATS * this.#beat_ms)
        if (message === null) return lost('the connection closed or was silent for too long')
        this.#hear(message as TopicMessage)
      }
    } finally {
      messages.close()
    }
  }

  async #signIn(messages: SocketMessages): Promise<void> {
    const welcome = await messages.next(ANSWER_MS)
    if (welcome === null) throw lost('the service did not answer')
    this.#beat_ms = welcome.heartbeat_ms as number
    // Signed with the service's time, because the local clock may be wrong.
    const timestamp_ms = welcome.server_time_ms as number
    messages.send(signStreamAuth(this.#options.key, { id: 'auth', timestamp_ms }))
    const answer = await messages.next(ANSWER_MS)
    if (answer === null) throw lost('auth was not answered')
    if (answer.type === 'error') throw new TidemarkError(answer.error as ErrorObject, null)
    this.#is_signed_in = true
  }

  #subscribe(followed: Followed): void {
    const { topic, market_id, resume } = followed.topic
    followed.sid = null
    const filter = { ...(market_id === null ? {} : { market_id }), ...(resume === null ? {} : { resume }) }
    this.#messages?.send({ op: 'subscribe', id: followed.id, topic, ...filter })
  }

  #unsubscribe(sid: string): void {
    this.#messages?.send({ op: 'unsubscribe', id: 'u', sid })
  }

  #hear(message: TopicMessage): void {
    if (message.type === 'error') this.#refused(message)
    if (message.type === 'heartbeat') {
      for (const { sid, last_seq } of message.subscriptions as readonly { sid: string; last_seq: number }[]) {
        const followed = this.#of(sid)
        if (followed?.topic.hearPosition(last_seq) === 'missing') this.#again(followed)
      }
      return
    }
    const followed = message.type === 'subscribed' ? this.#asked(message.id) : this.#of(message.sid)
    if (followed === undefined) return
    if (message.type === 'subscribed') followed.sid = message.sid as string
    if (followed.topic.hear(message) === 'missing') this.#again(followed)
  }

  #again(followed: Followed): void {
    if (followed.sid !== null) this.#unsubscribe(followed.sid)
    this.#subscribe(followed)
  }

  #refused({ id, error }: TopicMessage): void {
    const followed = this.#asked(id)
    const problem = new TidemarkError(error as ErrorObject, null)
    if (followed !== undefined && !problem.retryable) this.#followed.delete(followed)
    this.#options.onProblem?.(problem)
    if (followed !== undefined && problem.retryable) this.#messages?.close()
  }

  #of(sid: unknown): Followed | undefined {
    return [...this.#followed].find((one) => one.sid !== null && one.sid === sid)
  }

  #asked(id: unknown): Followed | undefined {
    return [...this.#followed].find((one) => one.id === id)
  }
}

function lost(message: string): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', message, true)
}

function asTidemark(error: unknown): TidemarkError {
  return error instanceof TidemarkError ? error : clientError('SERVICE_UNAVAILABLE', String(error), true, error)
}

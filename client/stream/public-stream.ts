import { PUBLIC_TOPICS, type PublicTopicName, type PublicTopics } from '../contract/topics.ts'
import { checkCall, checkedChoice, checkedObject, checkedText, refusedArgument } from '../given.ts'
import { baseUrl } from '../http/base-url.ts'
import { checkedKey, type RequestKey } from '../signing/sign-request.ts'
import { StreamConnection } from '../trading/stream/stream-connection.ts'
import { checkWatch, type OpenSocket, type StreamWatch, socketOpener } from '../trading/stream/stream-socket.ts'
import type { Resume } from '../trading/stream/topic-resources.ts'
import { FollowedPublicTopic, type PublicChange } from './followed-public-topic.ts'
import { PublicConnections } from './public-connections.ts'

export type PublicStreamOptions = StreamWatch & {
  /** http or https, without /v1. */
  readonly base_url: string
  /** Key whose limits of connections and snapshots apply; left out: those of the address. */
  readonly key?: RequestKey
  /** Opens a WebSocket; default: that of the platform. */
  readonly open?: OpenSocket
  /** Closes the stream. */
  readonly signal?: AbortSignal
}

export type FollowPublicOptions = {
  /** Cursor to resume from, such as `resume` of an earlier subscription; left out: start with the state. */
  readonly resume?: Resume
  /** Ends the subscription: its next change throws the reason. */
  readonly signal?: AbortSignal
}

/** Changes of one topic, in order and without repetition. Leaving the loop ends the subscription. */
export type PublicSubscription<T extends PublicTopicName> = AsyncIterableIterator<PublicChange<T>> & {
  /** Cursor after the last change that was taken, to resume from later; null: none was. */
  readonly resume: Resume | null
}

/**
 * Public stream of a service: one connection, which is made again and resumes after every interruption. A topic that is followed
 * again with the same filters has a connection of its own.
 */
export type PublicStream = {
  /** Follows a topic: its state, if it has one, then each event; a gap says that messages were lost. */
  follow<T extends PublicTopicName>(
    topic: T,
    ...given: Record<never, never> extends PublicTopics[T]['filters']
      ? [filters?: PublicTopics[T]['filters'], options?: FollowPublicOptions]
      : [filters: PublicTopics[T]['filters'], options?: FollowPublicOptions]
  ): PublicSubscription<T>
  /** Closes the connection; each subscription ends after the changes that wait. */
  close(): void
}

/**
 * Creates a client of the public stream. It connects when a topic is followed first.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: an option is missing or wrong; the platform has no WebSocket and none was given
 */
export function createPublicStream(options: PublicStreamOptions): PublicStream {
  checkWatch(options)
  const { signal } = options
  const key = options.key === undefined ? null : checkedKey(options.key)
  const open = socketOpener(options.open)
  const connection = { ...options, base_url: baseUrl(options.base_url), key, open, is_lazy: true }
  const connections = new PublicConnections(() => new StreamConnection(connection))
  const topics = new Set<FollowedPublicTopic<PublicTopicName>>()
  const close = () => {
    connections.close()
    for (const topic of topics) topic.end('closed')
  }
  signal?.addEventListener('abort', close, { once: true })
  if (signal?.aborted) close()
  return {
    follow<T extends PublicTopicName>(name: T, filters: object = {}, given: FollowPublicOptions = {}) {
      const followed = followedTopic(name, filters, given)
      const topic = followed as unknown as FollowedPublicTopic<PublicTopicName>
      topics.add(topic)
      if (connections.is_closed) topic.end('closed')
      const leave = connections.follow(topic)
      return subscription(followed, given.signal, () => {
        topics.delete(topic)
        leave()
      })
    },
    close,
  }
}

/** Checks the arguments of a subscription. @throws {TidemarkError} VALIDATION_USAGE_INVALID */
function followedTopic<T extends PublicTopicName>(
  name: T,
  filters: object,
  given: FollowPublicOptions,
): FollowedPublicTopic<T> {
  checkedChoice(name, 'topic', Object.keys(PUBLIC_TOPICS) as T[])
  checkCall(given, ['resume', 'signal'])
  const known = PUBLIC_TOPICS[name]
  const asked = Object.entries(checkedObject(filters, 'filters')).filter(([, value]) => value !== undefined)
  for (const [filter, value] of asked) {
    if (!known.filters.includes(filter)) throw refusedArgument('filter', filter, known.filters.join(', '))
    checkedText(value, filter)
  }
  const of_name = Object.fromEntries(asked) as Readonly<Record<string, string>>
  for (const filter of known.required) checkedText(of_name[filter], filter)
  return new FollowedPublicTopic(name, of_name, given.resume === undefined ? null : checkedResume(given.resume))
}

function checkedResume(resume: Resume): Resume {
  const { epoch, after_seq } = checkedObject(resume, 'resume')
  if (typeof epoch !== 'string') throw refusedArgument('resume.epoch', epoch, 'the epoch of a message')
  if (!Number.isSafeInteger(after_seq) || after_seq < 0)
    throw refusedArgument('resume.after_seq', after_seq, 'the seq of a message')
  return { epoch, after_seq }
}

function subscription<T extends PublicTopicName>(
  topic: FollowedPublicTopic<T>,
  signal: AbortSignal | undefined,
  leave: () => void,
): PublicSubscription<T> {
  const end = (how: { readonly error: unknown } | 'closed') => {
    signal?.removeEventListener('abort', abort)
    leave()
    topic.end(how)
  }
  const abort = () => end({ error: signal!.reason })
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const done = { value: undefined, done: true } as const
  return {
    get resume() {
      return topic.taken
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (signal?.aborted) throw signal.reason
      const value = await topic.next()
      return value === null ? done : { value, done: false }
    },
    async return() {
      end('closed')
      return done
    },
  }
}

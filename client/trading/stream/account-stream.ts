import { checkedChoice, knownOptions, refusedArgument } from '../../given.ts'
import { baseUrl } from '../../http/base-url.ts'
import { checkedKey, type RequestKey } from '../../signing/sign-request.ts'
import { FollowedTopic, type TopicListener } from './followed-topic.ts'
import { SharedTopic } from './shared-topic.ts'
import { StreamConnection } from './stream-connection.ts'
import { checkWatch, type OpenSocket, type StreamWatch, socketOpener } from './stream-socket.ts'
import { PRIVATE_TOPICS, type PrivateTopicName, type Resume } from './topic-resources.ts'

export type AccountStreamOptions = StreamWatch & {
  /** http or https, without /v1. */
  readonly base_url: string
  readonly key: RequestKey
  /** Opens a WebSocket; default: that of the platform. */
  readonly open?: OpenSocket
}

export type FollowOptions = {
  readonly market_id?: string
  /** Cursor to resume from, such as `meta.stream_cursor` of a REST answer; left out: start with a snapshot. */
  readonly resume?: Resume
}

/** Private stream of an account: connects, authenticates and resumes after every interruption. */
export type AccountStream = {
  /**
   * Follows a topic; several listeners may follow the same one. Each receives its state first, then each change once and in order.
   * @returns a function that ends it and returns its cursor
   */
  follow(topic: PrivateTopicName, listener: TopicListener, options?: FollowOptions): () => Resume | null
  /** Closes the connection; no callback runs afterwards. */
  close(): void
}

/**
 * Opens the private stream of an account.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: an option is missing or wrong; the platform has no WebSocket and none was given
 */
export function createAccountStream(options: AccountStreamOptions): AccountStream {
  checkWatch(options)
  const open = socketOpener(options.open)
  const base_url = baseUrl(options.base_url)
  const connection = new StreamConnection({ ...options, base_url, key: checkedKey(options.key), open })
  connection.start()
  const shared = new Map<string, SharedTopic>()
  /** Adds a listener to the subscription of its topic, or makes one. */
  const share = (topic: FollowedTopic): SharedTopic => {
    const name = JSON.stringify([topic.topic, topic.filters])
    const known = shared.get(name)
    if (known !== undefined) return known.add(topic)
    const end = () => {
      shared.delete(name)
      leave()
    }
    const made: SharedTopic = new SharedTopic(topic, { again: () => connection.again(made), end })
    shared.set(name, made.add(topic))
    const leave = connection.follow(made)
    return made
  }
  return {
    follow: (name, listener, given = {}) => {
      checkedChoice(name, 'topic', PRIVATE_TOPICS)
      if (typeof listener !== 'function') throw refusedArgument('listener', listener, 'a function')
      const { market_id, resume } = knownOptions(given, ['market_id', 'resume'])
      const topic = new FollowedTopic(name, listener, { market_id: market_id ?? null, resume: resume ?? null })
      const of_topic = share(topic)
      return () => {
        of_topic.remove(topic)
        return topic.resume
      }
    },
    close: () => connection.close(),
  }
}

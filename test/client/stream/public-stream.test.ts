import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PUBLIC_TOPICS, type PublicTopicName } from '../../../client/contract/topics.ts'
import { type PublicChange, QUEUE_MAX } from '../../../client/stream/followed-public-topic.ts'
import { createPublicStream, type PublicStreamOptions } from '../../../client/stream/public-stream.ts'
import { TidemarkError } from '../../../client/tidemark-error.ts'
import { TOPIC_NAMES, topicOf } from '../../../protocol/stream/topics.ts'
import { sized } from '../../support/sized.ts'
import { FakeStream } from './fake-stream.ts'

const TOPICS = { true: 'index.price', false: 'governance.notice' } as const
const streamOf = (service: FakeStream, more: Partial<PublicStreamOptions> = {}) =>
  createPublicStream({
    base_url: 'http://service.example',
    open: service.open,
    retry_ms: { first: 0, max: 1 },
    ...more,
  })

/** Lets what waits run: messages, answers and the next connection. */
const turn = () => new Promise((resolve) => setTimeout(resolve))
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await turn()
}

type Change = PublicChange<PublicTopicName>
/** Takes changes as they come. */
function taking(changes: AsyncIterable<Change>) {
  const taken: Change[] = []
  const ended = (async () => {
    for await (const change of changes) taken.push(change)
  })()
  ended.catch(() => undefined)
  const seqOf = (change: Change) => (change.type === 'gap' ? change.to_seq : change.seq)
  return { taken, ended, last: () => (taken.length === 0 ? 0 : seqOf(taken.at(-1)!)) }
}

const ACTIONS = [
  'sent',
  'sent',
  'sent',
  'lost',
  'repeated',
  'cut',
  'heartbeat',
  'failed',
  'forgotten',
  'renumbered',
  'turn',
]
type Action = (typeof ACTIONS)[number]

function act(service: FakeStream, action: Action): void {
  if (action === 'cut') service.cut()
  else if (action === 'heartbeat') service.heartbeat()
  else if (action === 'failed') service.failSubscription()
  else if (action === 'forgotten') service.forgotten = service.log.length
  else if (action === 'renumbered') service.epoch = `e${service.log.length + 2}`
  else if (action !== 'turn') service.publish(action as 'sent' | 'lost' | 'repeated')
}

test.each([true, false])(
  'every event comes once and in order, or a gap or state says what is missing; state: %s',
  async (has_snapshot) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 }), async (actions) => {
        const service = new FakeStream(has_snapshot)
        const stream = streamOf(service)
        const { taken, last } = taking(stream.follow(TOPICS[`${has_snapshot}`]))
        await until(() => service.asked.length > 0)
        for (const action of actions) {
          act(service, action)
          if (action === 'turn') await turn()
        }
        service.publish('sent')
        await until(() => {
          service.heartbeat()
          return last() === service.head
        })
        stream.close()
        let position = 0
        for (const change of taken) {
          if (change.type === 'event') expect(change.seq).toBe(service.log.find((seq) => seq > position))
          position = change.type === 'gap' ? change.to_seq : change.seq
        }
        expect(service.open_count).toBe(0)
      }),
      { numRuns: sized(25, 400) },
    )
  },
)

describe('two subscriptions of one topic', () => {
  const followTwice = async (service: FakeStream) => {
    const stream = streamOf(service)
    const [first, second] = [stream.follow('index.price'), stream.follow('index.price')]
    const [one, other] = [taking(first), taking(second)]
    await until(() => one.taken.length > 0 && other.taken.length > 0)
    return { stream, first, one, other }
  }

  test('each begin with the state, then have every event; the end of one leaves the other', async () => {
    const service = new FakeStream(true)
    const { stream, first, one, other } = await followTwice(service)
    service.publish('sent')
    await until(() => one.last() === service.head && other.last() === service.head)
    await first.return?.()
    await one.ended
    expect(service.open_count + service.asked.filter(({ op }) => op === 'unsubscribe').length).toBe(2 + 1)
    service.publish('sent')
    await until(() => other.last() === service.head)
    expect(one.taken.map(({ type }) => type)).toEqual(['snapshot', 'event'])
    expect(other.taken.map(({ type }) => type)).toEqual(['snapshot', 'event', 'event'])
    const third = taking(stream.follow('index.price'))
    await until(() => third.taken.length > 0)
    expect([service.doubled, service.open_count]).toEqual([0, 2])
    stream.close()
    expect(service.open_count).toBe(0)
  })

  test('both resume after an interruption', async () => {
    const service = new FakeStream(true)
    const { stream, one, other } = await followTwice(service)
    service.cut()
    service.publish('sent')
    await until(() => one.last() === service.head && other.last() === service.head)
    expect(one.taken.map(({ type }) => type)).toEqual(['snapshot', 'event'])
    expect(other.taken).toEqual(one.taken)
    stream.close()
  })

  test('work when the first one ends before the service has answered it', async () => {
    const service = new FakeStream(true)
    const stream = streamOf(service)
    const before = stream.follow('index.price')
    await before.next()
    await before.return?.()
    void stream.follow('index.price').return?.()
    const again = taking(stream.follow('index.price'))
    await until(() => again.taken.length > 0)
    const both = ['subscribe', 'unsubscribe']
    expect(service.asked.map(({ op }) => op)).toEqual([...both, ...both, 'subscribe'])
    expect(service.doubled).toBe(0)
    stream.close()
  })
})

describe('a subscription', () => {
  test('resumes from the last change that was taken, also of another client', async () => {
    const service = new FakeStream(true)
    const first = streamOf(service)
    const changes = first.follow('index.price', { index_id: 'idx_a' })
    expect(changes.resume).toBeNull()
    expect((await changes.next()).value).toMatchObject({ type: 'snapshot', seq: 0 })
    for (let n = 0; n < 3; n += 1) service.publish('sent')
    expect((await changes.next()).value).toMatchObject({ type: 'event', kind: 'published', data: { seq: 1 } })
    const { resume } = changes
    expect(resume).toEqual({ epoch: 'e1', after_seq: 1 })
    first.close()
    const again = streamOf(service).follow('index.price', { index_id: 'idx_a' }, { resume: resume! })
    expect((await again.next()).value).toMatchObject({ type: 'event', seq: service.log[1] })
    await again.return?.()
    expect(service.asked.at(-1)).toMatchObject({ op: 'unsubscribe', sid: 's' })
    expect(service.asked[0]).toEqual({ op: 'subscribe', id: 'f1', topic: 'index.price', index_id: 'idx_a' })
  })

  test('of a topic without a state begins after what was published before', async () => {
    const service = new FakeStream(false)
    service.publish('sent')
    const { taken, last } = taking(streamOf(service).follow('governance.notice'))
    await until(() => service.asked.length > 0)
    service.publish('sent')
    await until(() => last() === service.head)
    expect(taken).toHaveLength(1)
    expect(service.asked).toHaveLength(1)
  })

  test('ends by its signal with the reason, by the end of the stream without, and by a refusal with that', async () => {
    const service = new FakeStream(true)
    const problems: TidemarkError[] = []
    const stop = new AbortController()
    const stream = streamOf(service, { onProblem: (problem) => problems.push(problem), signal: stop.signal })
    const abort = new AbortController()
    const aborted = taking(stream.follow('index.price', {}, { signal: abort.signal }))
    await until(() => aborted.taken.length === 1)
    abort.abort(new Error('enough'))
    await expect(aborted.ended).rejects.toThrow('enough')
    service.refusal = { code: 'SOURCE_NOT_PUBLIC', message: 'm', retryable: false, request_id: 'r' }
    const refused = taking(stream.follow('market.trade', { market_id: 'mkt_a' }))
    await expect(refused.ended).rejects.toMatchObject({ code: 'SOURCE_NOT_PUBLIC' })
    expect(problems.map(({ code }) => code)).toEqual(['SOURCE_NOT_PUBLIC'])
    service.refusal = null
    const other = taking(stream.follow('market.ticker'))
    await until(() => other.taken.length === 1)
    stop.abort()
    await other.ended
    expect(service.open_count).toBe(0)
    expect((await stream.follow('market.ticker').next()).done).toBe(true)
  })

  test('that nobody reads keeps QUEUE_MAX changes, then gives a gap and the state after it', async () => {
    const service = new FakeStream(true)
    const stream = streamOf(service)
    const changes = stream.follow('index.price')
    await changes.next()
    for (let n = 0; n <= QUEUE_MAX; n += 1) service.publish('sent')
    await turn()
    expect((await changes.next()).value).toMatchObject({ type: 'gap', from_seq: 0, reason: 'slow_consumer' })
    expect((await changes.next()).value).toMatchObject({ type: 'snapshot', seq: service.head })
    stream.close()
  })

  test.each([
    [['index.prices'], 'topic is "index.prices"; allowed: index.price, '],
    [['market.trade'], 'market_id is missing'],
    [['index.price', { market_id: 'mkt_a' }], 'filter is "market_id"; allowed: index_id'],
    [['index.price', {}, { resume: { epoch: 'e', after_seq: '1' } }], 'resume.after_seq is "1"'],
  ])('with the arguments %j is refused', (given, message) => {
    const { follow } = streamOf(new FakeStream(true))
    const refused = () => (follow as (...given: unknown[]) => unknown)(...given)
    expect(refused).toThrow(TidemarkError)
    expect(refused).toThrow(message)
  })
})

test('the topics are those of the service, with their filters and types', () => {
  const expected = TOPIC_NAMES.map(topicOf).map(({ topic, filters, required_filters, chained }) => [
    topic,
    { filters: Object.keys(filters), required: required_filters, is_chained: chained },
  ])
  expect(PUBLIC_TOPICS).toEqual(Object.fromEntries(expected))
  const typed = async () => {
    const stream = createPublicStream({ base_url: 'x' })
    for await (const change of stream.follow('market.trade', { market_id: 'mkt_a' })) {
      if (change.type === 'event') change.data.trade_id satisfies string
      // @ts-expect-error: trades have no snapshot
      if (change.type === 'snapshot') change.data
    }
    // @ts-expect-error: market_id is required
    stream.follow('market.trade')
    // @ts-expect-error: no such filter
    stream.follow('index.price', { market_id: 'mkt_a' })
  }
  expect(typed).toBeTypeOf('function')
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../../primitives/error-codes.ts'
import { streamMessages } from '../../support/stream-messages.ts'
import { FakeLog, fakeReader } from './fake-reader.ts'
import { CATALOG } from './small-world.ts'
import { StreamClient } from './stream-client.ts'
import { type RunningStream, startStream } from './stream-server.ts'

const PRICE = { op: 'subscribe', id: '1', topic: 'index.price' } as const
const LIMITS = { subscriptions_max: 3, messages: { rate: 1e6, burst: 1e6 } }

let server: RunningStream
let client: StreamClient

beforeAll(async () => {
  server = await startStream(fakeReader(new FakeLog(), CATALOG), { limits: LIMITS })
  client = await StreamClient.open(server.url)
})

afterAll(async () => {
  await client.close()
  await server.stop()
})

/** Sends what may not even be JSON; gives the answers up to that of a ping behind it. */
async function answersTo(message: string): Promise<{ id: string | null; code: string; message: string }[]> {
  const from = client.said.length
  client.send(message)
  await client.ask({ op: 'ping', id: `after-${from}` })
  return client.said.slice(from, -1).flatMap(({ type, id, error }) => {
    return type === 'error' ? [{ id: id as string | null, ...(error as { code: string; message: string }) }] : []
  })
}

describe('a message that is not taken is answered with the field, the value seen and what is allowed', () => {
  const refused = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message))
  test.each([
    ['no JSON', '{', null, 'message is "{"; allowed: one JSON object'],
    ['no object', '[1]', null, 'message is [1]; allowed: one JSON object'],
    ['a key twice', '{"op":"ping","op":"auth"}', null, 'message has the key "op" twice; allowed: each key once'],
    ['no op', { id: '1' }, '1', 'op is missing; allowed: auth, subscribe, unsubscribe, ping'],
    ['unknown op', { op: 'login', id: '1' }, '1', 'op is "login"; allowed: auth, subscribe, unsubscribe, ping'],
    ['auth without a key', { op: 'auth', id: '1' }, '1', 'key_id is missing; allowed: text of 1 to 128 characters'],
    ['id of another type', { op: 'ping', id: 1 }, null, 'id is 1; allowed: text of 1 to 64 characters'],
    ['unknown topic', { ...PRICE, topic: 'index.prices' }, '1', 'topic is "index.prices"; allowed: index.price,'],
    [
      'unknown field',
      { ...PRICE, indexId: 'x' },
      '1',
      'indexId is "x"; allowed: no such field; the fields are op, id,',
    ],
    ['field of the prototype', '{"op":"ping","id":"1","__proto__":{}}', '1', '__proto__ is {}; allowed: no such field'],
    [
      'id of another kind',
      { ...PRICE, index_id: 'mkt_1' },
      '1',
      'index_id is "mkt_1"; allowed: text that matches ^idx_',
    ],
    [
      'foreign filter',
      { ...PRICE, market_id: 'mkt_1' },
      '1',
      'market_id is "mkt_1"; allowed: index_id with index.price',
    ],
    [
      'filter missing',
      { ...PRICE, topic: 'market.trade' },
      '1',
      'market_id is missing; allowed: text that matches ^mkt_',
    ],
    ['null for none', { ...PRICE, index_id: null }, '1', 'index_id is null; allowed: text that matches ^idx_'],
    ['resume not whole', { ...PRICE, resume: { epoch: 'e' } }, '1', 'resume.after_seq is missing; allowed: an integer'],
    ['resume of text', { ...PRICE, resume: '5' }, '1', 'resume is "5"; allowed: an object of epoch, after_seq'],
    [
      'seq of text',
      { ...PRICE, resume: { epoch: 'e', after_seq: '5' } },
      '1',
      'resume.after_seq is "5"; allowed: an integer',
    ],
    [
      'seq not whole',
      { ...PRICE, resume: { epoch: 'e', after_seq: 1.5 } },
      '1',
      'resume.after_seq is 1.5; allowed: an int',
    ],
  ])('%s', async (_name, message, id, sentence) => {
    const answers = await answersTo(refused(message))
    expect(answers).toMatchObject([{ id, code: 'VALIDATION_MESSAGE_INVALID' }])
    expect(answers[0]!.message.slice(0, sentence.length)).toBe(sentence)
  })

  test.each([
    [{ ...PRICE, index_id: 'idx_none' }, 'INDEX_NOT_FOUND'],
    [{ ...PRICE, topic: 'market.ticker', market_id: 'mkt_none' }, 'MARKET_NOT_FOUND'],
    [{ ...PRICE, topic: 'market.orderbook', market_id: 'mkt_1', outcome_id: 'out_x' }, 'MARKET_OUTCOME_NOT_FOUND'],
    [{ ...PRICE, topic: 'market.orderbook', market_id: 'mkt_private', outcome_id: 'out_x' }, 'SOURCE_NOT_PUBLIC'],
    [{ op: 'unsubscribe', id: '1', sid: 'index.price' }, 'SUBSCRIPTION_NOT_FOUND'],
  ])('%j is %s', async (message, code) => {
    expect(await answersTo(JSON.stringify(message))).toMatchObject([{ id: '1', code }])
  })

  test('a binary frame is answered, and the connection stays', async () => {
    const from = client.said.length
    client.socket.send(Buffer.from('{"op":"ping","id":"1"}'), { binary: true })
    expect(await client.next(({ type }) => type === 'error', from)).toMatchObject({ id: null })
  })
})

test('a subscription is had once, and their number is bounded', async () => {
  for (const index_id of ['idx_a', 'idx_b']) await client.ask({ ...PRICE, index_id })
  expect(await client.ask({ ...PRICE, id: 'again', index_id: 'idx_a' })).toMatchObject({
    error: { message: 'index.price:idx_a is already subscribed; allowed: once per connection' },
  })
  expect(await client.ask({ ...PRICE, id: 'third' })).toMatchObject({ type: 'subscribed' })
  expect(await client.ask({ ...PRICE, id: 'fourth', topic: 'index.status' })).toMatchObject({
    error: { message: 'subscriptions is 4; allowed: at most 3' },
  })
  for (const sid of ['index.price', 'index.price:idx_a', 'index.price:idx_b'])
    expect(await client.ask({ op: 'unsubscribe', id: sid, sid })).toEqual({ type: 'unsubscribed', id: sid, sid })
  expect(server.stream.stats()).toMatchObject({ subscriptions: 0, channels: 0 })
})

test('messages of one client are bounded in rate, and the error states when the next one is accepted', async () => {
  let now_ms = 1_800_000_000_000
  const own = await startStream(fakeReader(new FakeLog(), CATALOG), {
    limits: { messages: { rate: 1, burst: 3 } },
    now: () => now_ms,
  })
  const busy = await StreamClient.open(own.url)
  for (const id of ['1', '2', '3', '4']) busy.send({ op: 'ping', id })
  expect(await busy.next(({ id }) => id === '4')).toMatchObject({
    error: { code: 'RATE_LIMIT_EXCEEDED', retryable: true, retry_after_ms: 1000 },
  })
  now_ms += 999
  expect(await busy.ask({ op: 'ping', id: '5' })).toMatchObject({ type: 'error', error: { retry_after_ms: 1 } })
  now_ms += 1
  expect(await busy.ask({ op: 'ping', id: '6' })).toMatchObject({ type: 'pong' })
  expect(busy.said.filter(({ type }) => type === 'pong')).toHaveLength(4)
  await busy.close()
  await own.stop()
})

describe('fuzz: whatever is sent, the answer is an error of ours or what was asked, and the connection stays', () => {
  test('as the only message', async () => {
    await fc.assert(
      fc.asyncProperty(streamMessages, async (message) => {
        for (const { code } of await answersTo(message)) {
          expect(Object.keys(ERROR_CODES)).toContain(code)
          expect(code).not.toBe('INTERNAL_ERROR')
        }
      }),
      { numRuns: 500 },
    )
    expect(server.failures).toEqual([])
  })
})

test.each([
  ['longer than allowed', '"'.repeat(17_000), 1009],
  ['not UTF-8', Buffer.from([0xff, 0xfe]), 1007],
])('a message that is %s ends the connection', async (_name, message, code) => {
  const own = await StreamClient.open(server.url)
  const closed = new Promise((resolve) => own.socket.once('close', resolve))
  own.socket.send(message, { binary: false })
  expect(await closed).toBe(code)
  expect(server.stream.stats().ended[code]).toBe(1)
})

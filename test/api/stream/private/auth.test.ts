import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestKey } from '../../../../client/signing/sign-request.ts'
import { signStreamAuth } from '../../../../client/signing/sign-stream-auth.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import { SCOPES, type Scope } from '../../../../protocol/signing/scopes.ts'
import { PRIVATE_TOPIC_NAMES, privateTopicOf } from '../../../../protocol/stream/private-topics.ts'
import { CONTROL_MESSAGES } from '../../../../protocol/stream/server-messages.ts'
import { assertMatchesSchema } from '../../../support/match-schema.ts'
import { withDatabase } from '../../../support/trading/postgres.ts'
import { type ServedAccounts, serveAccounts } from '../../../support/trading/served-accounts.ts'
import { type ServedStream, serveStream } from '../../../support/trading/served-streams.ts'
import { type Said, StreamClient } from '../stream-client.ts'
import { follow, openAccount } from './account-client.ts'

const database = withDatabase()
let served: ServedAccounts
let stream: ServedStream
const streams: ServedStream[] = []
let clients: StreamClient[] = []

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  stream = await serveStream(served)
  streams.push(stream)
}, 180_000)
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  for (const one of streams) await one.stop()
  await served.close()
  expect(streams.flatMap(({ failures }) => failures)).toEqual([])
})

/** A stream of its own, whose clock stands until the test moves it. */
async function clockedStream() {
  const clock = { now_ms: Date.now() }
  const limits = { first_message_ms: 3_600_000, messages: { rate: 1e6, burst: 1e6 } }
  const at = await serveStream(served, { now: () => clock.now_ms, limits })
  streams.push(at)
  return { at, clock }
}

const open = async (): Promise<StreamClient> => {
  const client = await StreamClient.open(stream.url)
  clients = [...clients, client]
  return client
}
const auth = async (message: object): Promise<Said> => (await open()).ask({ id: 'auth', ...message })
const account = async (key: RequestKey): Promise<StreamClient> => {
  const client = await openAccount(stream.url, key)
  clients = [...clients, client]
  return client
}
type StreamError = {
  readonly code: string
  readonly message: string
  readonly retry_after_ms?: number
  readonly server_time_ms?: number
}
const errorOf = (said: Said) => said.error as StreamError
const closed = async (client: StreamClient): Promise<{ readonly code: number; readonly reason: string }> =>
  new Promise((resolve) =>
    client.socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: String(reason) })),
  )

describe('auth', () => {
  test('a signed message makes the connection one of the key', async () => {
    const answer = await auth(signStreamAuth(served.keys.acct_a, { id: 'auth' }))
    assertMatchesSchema(CONTROL_MESSAGES.authenticated, answer)
    expect([answer.type, answer.account_id, answer.key_id]).toEqual([
      'authenticated',
      'acct_a',
      served.keys.acct_a.key_id,
    ])
  })

  const refusals: readonly [string, () => Promise<object> | object, string][] = [
    ['a signature of another secret', () => ({ ...signed(), signature: '0'.repeat(64) }), 'AUTH_CREDENTIALS_INVALID'],
    ['a key that does not exist', () => signed({ key_id: 'key_absent0000000000' }), 'AUTH_CREDENTIALS_INVALID'],
    [
      'a key of another environment',
      async () => signed(await served.newKey({ environment: 'production' })),
      'AUTH_ENVIRONMENT_MISMATCH',
    ],
    [
      'a key that has expired',
      async () => signed(await served.newKey({ expires_at: 1_600_000_000_000_000 })),
      'AUTH_CREDENTIALS_INVALID',
    ],
    [
      'an address that the key does not allow',
      async () => signed(await served.newKey({ ip_allowlist: ['203.0.113.0/24'] })),
      'AUTH_IP_NOT_ALLOWED',
    ],
    ['a timestamp of a minute ago', () => signed({}, Date.now() - 60_000), 'AUTH_TIMESTAMP_OUT_OF_WINDOW'],
    ['a timestamp of the future', () => signed({}, Date.now() + 60_000), 'AUTH_TIMESTAMP_OUT_OF_WINDOW'],
    ['a field that is missing', () => ({ ...signed(), nonce: undefined }), 'VALIDATION_MESSAGE_INVALID'],
    ['a field that is not known', () => ({ ...signed(), secret: 'x' }), 'VALIDATION_MESSAGE_INVALID'],
  ]
  const signed = (key: Partial<RequestKey> = {}, timestamp_ms = Date.now()) =>
    signStreamAuth({ ...served.keys.acct_a, ...key } as RequestKey, { id: 'auth', timestamp_ms })

  test.each(refusals)('%s is refused', async (_name, message, code) => {
    const answer = await auth(await message())
    assertMatchesSchema(CONTROL_MESSAGES.error, answer)
    expect([answer.type, errorOf(answer).code], JSON.stringify(answer)).toEqual(['error', code])
    expect(errorOf(answer).message).not.toContain('SVC-Access')
    expect(errorOf(answer).server_time_ms !== undefined).toBe(code === 'AUTH_TIMESTAMP_OUT_OF_WINDOW')
  })

  test('a message that was sent before is refused, on another connection too', async () => {
    const message = signed()
    expect((await auth(message)).type).toBe('authenticated')
    expect(errorOf(await auth(message)).code).toBe('REPLAY_REQUEST_NONCE_REUSED')
  })

  test('the signature of a request of REST is none of the stream', async () => {
    const { method: _, ...message } = { ...signed(), method: 'GET' }
    const rest = await import('../../../../client/signing/sign-request.ts')
    const headers = rest.signRequest({ method: 'GET', target: '/v1/ws' }, served.keys.acct_a)
    const answer = await auth({
      ...message,
      nonce: headers['SVC-Access-Nonce'],
      timestamp: headers['SVC-Access-Timestamp'],
      signature: headers['SVC-Access-Signature'],
    })
    expect(errorOf(answer).code).toBe('AUTH_CREDENTIALS_INVALID')
  })

  test('a second one on a connection is refused, and what follows at once is answered after it', async () => {
    const client = await open()
    client.send(signed())
    client.send({ op: 'subscribe', id: 's', topic: 'account.balance' })
    client.send({ op: 'ping', id: 'p' })
    const subscribed = await client.next(({ id }) => id === 's')
    expect(subscribed.type).toBe('subscribed')
    expect(client.said.map(({ type }) => type).slice(0, 2)).toEqual(['welcome', 'authenticated'])
    expect(errorOf(await client.ask({ ...signed(), id: 'again' })).code).toBe('VALIDATION_MESSAGE_INVALID')
  })

  test('after so many refusals the connection is closed', async () => {
    const client = await open()
    const end = closed(client)
    for (let n = 0; n < PRIVATE_STREAM.refused_auths_max; n += 1)
      client.send({ ...signed(), signature: 'f'.repeat(64) })
    expect((await end).code).toBe(1008)
    expect(client.said.filter(({ type }) => type === 'error')).toHaveLength(PRIVATE_STREAM.refused_auths_max)
  })
})

test('an address whose places for connections without auth are taken lets holders of keys in', async () => {
  const limits = { anonymous_per_address_max: 2, connections_per_address_max: 3 }
  const crowded = await serveStream(served, { limits })
  const opened: StreamClient[] = []
  const subscribe = (client: StreamClient) => client.ask({ op: 'subscribe', id: 'public', topic: 'index.price' })
  for (let n = 0; n < limits.connections_per_address_max; n += 1) {
    opened.push(await StreamClient.open(crowded.url))
    const answer = await subscribe(opened[n]!)
    expect(answer.type).toBe(n < limits.anonymous_per_address_max ? 'subscribed' : 'error')
  }
  for (const key of [served.keys.acct_a, served.keys.acct_b]) {
    const client = await openAccount(crowded.url, key)
    opened.push(client)
    expect((await follow(client, 'account.order')).type).toBe('subscribed')
    expect((await subscribe(client)).type).toBe('subscribed')
  }
  // One that authenticates after it subscribed gives its place back.
  await opened[0]!.ask({ ...signStreamAuth(served.keys.acct_a, { id: 'auth' }) })
  const next = await StreamClient.open(crowded.url)
  opened.push(next)
  expect((await subscribe(next)).type).toBe('subscribed')
  await Promise.all(opened.map((client) => client.close()))
  await crowded.stop()
  expect(crowded.failures).toEqual([])
})

describe('what a key may hear', () => {
  test('without an identity every topic of an account is refused; public ones are not', async () => {
    const client = await open()
    for (const topic of PRIVATE_TOPIC_NAMES)
      expect(errorOf(await client.ask({ op: 'subscribe', id: topic, topic })).code).toBe('AUTH_CREDENTIALS_INVALID')
    expect((await client.ask({ op: 'subscribe', id: 'public', topic: 'index.price' })).type).toBe('subscribed')
  })

  describe.each(PRIVATE_TOPIC_NAMES)('%s', (topic) => {
    const { scope } = privateTopicOf(topic)
    const subscribe = (client: StreamClient, account_id: string) =>
      client.ask({ op: 'subscribe', id: account_id, topic, account_id })
    const threeWays = async (scopes: readonly Scope[]) => {
      const client = await openAccount(stream.url, await served.newKey({ scopes }))
      const answers: Said[] = []
      for (const account_id of ['acct_a', 'acct_b', 'acct_absent']) answers.push(await subscribe(client, account_id))
      await client.close()
      return answers
    }

    test.each(SCOPES.filter((given) => given !== scope))('%s alone opens no account, its own or not', async (given) => {
      const answers = await threeWays([given])
      const errors = answers.map(errorOf)
      expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('AUTH_SCOPE_INSUFFICIENT'))
      expect(new Set(errors.map(({ message }) => message)).size).toBe(1)
    })

    test('its scope alone opens its own account, and no other one', async () => {
      const [own, others, absent] = await threeWays([scope])
      expect(own!.type).toBe('subscribed')
      expect([others!, absent!].map((answer) => errorOf(answer).code)).toEqual([
        'ACCOUNT_NOT_FOUND',
        'ACCOUNT_NOT_FOUND',
      ])
    })
  })

  test('another account is refused like one that does not exist', async () => {
    const client = await account(served.keys.acct_a)
    const ask = (account_id: string) =>
      client.ask({ op: 'subscribe', id: account_id, topic: 'account.order', account_id })
    const real = errorOf(await ask('acct_b'))
    const absent = errorOf(await ask('acct_absent'))
    expect([real.code, absent.code]).toEqual(['ACCOUNT_NOT_FOUND', 'ACCOUNT_NOT_FOUND'])
    expect(real.message.replace('acct_b', 'X')).toBe(absent.message.replace('acct_absent', 'X'))
    const own = await client.ask({ op: 'subscribe', id: 'own', topic: 'account.order', account_id: 'acct_a' })
    expect([own.type, own.effective]).toEqual(['subscribed', { account_id: 'acct_a' }])
  })

  test('the same again on one connection, and filters of other topics, are refused; after unsubscribe it is taken', async () => {
    const client = await account(served.keys.acct_a)
    const { sid } = await follow(client, 'account.order')
    const again = await client.ask({ op: 'subscribe', id: 'again', topic: 'account.order', account_id: 'acct_a' })
    expect(errorOf(again).code).toBe('VALIDATION_MESSAGE_INVALID')
    const foreign = await client.ask({ op: 'subscribe', id: 'foreign', topic: 'account.balance', market_id: 'mkt_a' })
    expect(errorOf(foreign).message).toContain('market_id')
    expect((await client.ask({ op: 'unsubscribe', id: 'un', sid })).type).toBe('unsubscribed')
    expect((await follow(client, 'account.order')).type).toBe('subscribed')
  })
})

describe('a key that ends', () => {
  test('revoked: its connections are closed within a second, others stay', async () => {
    const key = await served.newKey({})
    const revoked = await account(key)
    const other = await account(served.keys.acct_a)
    await follow(revoked, 'account.order')
    const end = closed(revoked)
    // A second of this process, however long the system lets it wait.
    let tenths = 0
    const counting = setInterval(() => {
      tenths += 1
    }, 100)
    await served.act({ kind: 'revoke_key', key_id: key.key_id, reason: 'lost' })
    expect(await end).toEqual({ code: 1008, reason: 'the key was revoked' })
    clearInterval(counting)
    expect(tenths).toBeLessThan(10)
    expect(revoked.said.at(-1)).toMatchObject({ type: 'closing', reason: 'the key was revoked' })
    expect((await other.ask({ op: 'ping', id: 'p' })).type).toBe('pong')
    expect(errorOf(await auth(signStreamAuth(key, { id: 'auth' }))).code).toBe('AUTH_CREDENTIALS_INVALID')
  })

  test('rotated without an overlap: what was signed with the former secret is closed', async () => {
    const key = await served.newKey({})
    const client = await account(key)
    const end = closed(client)
    const url = `/v1/account/api-keys/${key.key_id}/rotate`
    const got = await served.call({ method: 'POST', url, body: { overlap_seconds: 0 }, key })
    expect(got.status, got.text).toBe(200)
    expect((await end).code).toBe(1008)
    const secret = got.body.data.secret as string
    expect((await auth(signStreamAuth({ ...key, secret } as RequestKey, { id: 'auth' }))).type).toBe('authenticated')
  })

  test('expired: at the first look after its time, and not before', async () => {
    const { at, clock } = await clockedStream()
    const key = await served.newKey({ expires_at: (clock.now_ms + 60_000) * 1000 })
    const client = await openAccount(at.url, key, clock.now_ms)
    clients = [...clients, client]
    const end = closed(client)
    clock.now_ms += 59_999
    // More than the time between two looks.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await client.ask({ op: 'ping', id: 'p' })).type).toBe('pong')
    clock.now_ms += 1
    expect(await end).toEqual({ code: 1008, reason: 'the key has expired' })
  })
})

test('a key that subscribes too fast is told when the next subscription is accepted', async () => {
  const { at, clock } = await clockedStream()
  const client = await openAccount(at.url, await served.newKey({ account_id: 'acct_b' }), clock.now_ms)
  clients = [...clients, client]
  const ask = (id: string) => ({ op: 'subscribe', id, topic: 'account.order', market_id: `mkt_${id}` })
  const { rate, burst } = PRIVATE_STREAM.subscribes
  for (let n = 0; n < 2 * burst; n += 1) client.send(ask(`n${n}`))
  const refusal = await client.next(({ type }) => type === 'error')
  const { code, retry_after_ms = 0 } = errorOf(refusal)
  expect(code).toBe('RATE_LIMIT_EXCEEDED')
  expect(retry_after_ms).toBe(1000 / rate)
  clock.now_ms += retry_after_ms - 1
  expect((await client.ask(ask('soon'))).type).toBe('error')
  clock.now_ms += 1
  expect((await client.ask(ask('again'))).type).toBe('subscribed')
})

test('an account has so many connections and no more', async () => {
  const key = await served.newKey({ account_id: 'acct_empty' })
  const opened: StreamClient[] = []
  for (let n = 0; n < PRIVATE_STREAM.connections_max; n += 1) opened.push(await openAccount(stream.url, key))
  clients = [...clients, ...opened]
  const full = errorOf(await auth(signStreamAuth(key, { id: 'auth' })))
  expect(full.code).toBe('RATE_LIMIT_EXCEEDED')
  expect(full).not.toHaveProperty('retry_after_ms')
  await opened[0]!.close()
  await expect.poll(async () => (await auth(signStreamAuth(key, { id: 'auth' }))).type).toBe('authenticated')
})

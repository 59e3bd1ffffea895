import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Deliverer, startDeliverer } from '../../../api/webhooks/deliverer.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { IssuedWebhook, WebhookDelivery, WebhookEvent } from '../../../protocol/resources/webhook.ts'
import { createStreamReads } from '../../../trading/store/read/stream-reads.ts'
import { assertDescribed } from '../../support/trading/match-private.ts'
import { type TestDatabase, withDatabase } from '../../support/trading/postgres.ts'
import { SEALING, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'
import { startReceiver, type TestReceiver } from '../../support/trading/webhook-receiver.ts'

const new_database = withDatabase()
let database: TestDatabase
let served: ServedAccounts
const receivers: TestReceiver[] = []
const deliverers: Deliverer[] = []
const problems: unknown[] = []

beforeAll(async () => {
  database = await new_database()
  served = await serveAccounts(database.pool, { deposit: '50000', webhook_hosts: ['127.0.0.1'] })
}, 180_000)
afterEach(async () => {
  await Promise.all(deliverers.splice(0).map((one) => one.close()))
  await Promise.all(receivers.splice(0).map((one) => one.close()))
  for (const { webhook_id } of (await get('/webhooks')).data)
    await served.call({ method: 'DELETE', url: `/v1/webhooks/${webhook_id}` })
  expect(problems.splice(0)).toEqual([])
})
afterAll(() => served.close())

/** Retries come soon; an answer may take its time on a busy machine, so an attempt is ended only where a test is about that. */
const FAST = { connect_ms: 60_000, attempt_ms: 60_000, retry: { first_ms: 4, max_ms: 20 } }
const TYPES = ['transfer.held', 'transfer.canceled', 'webhook.disabled', 'api_key.created'] as const

function deliver(times: Partial<typeof FAST> = {}): Deliverer {
  const { retry, ...rest } = { ...FAST, ...times }
  const started = startDeliverer({
    ...{ pool: database.pool, stream_reads: createStreamReads(database.pool), engine: served.engine },
    ...{ sealing: SEALING, targets: served.trading.webhook_targets, now: wallClock, random: Math.random },
    onFailure: (error) => problems.push(error),
    ...{ times: rest, retry },
  })
  deliverers.push(started)
  return started
}

async function receive(): Promise<TestReceiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

const get = async (path: string) => (await served.call({ method: 'GET', url: `/v1${path}` })).body
const post = async (operation: Parameters<typeof assertDescribed>[0], path: string, body: unknown) => {
  const got = await served.call({ method: 'POST', url: `/v1${path}`, body })
  assertDescribed(operation, got)
  return got
}
const hook = async (receiver: TestReceiver, event_types: readonly string[] = TYPES): Promise<IssuedWebhook> => {
  const got = await post('create_webhook', '/webhooks', { url: receiver.url, event_types })
  expect(got.status, got.text).toBe(201)
  receiver.secrets = [got.body.data.secret]
  return got.body.data
}
const withdraw = async (): Promise<string> => {
  const body = { account_id: 'acct_a', direction: 'withdrawal', asset_id: 'asset_usd', amount: '1' }
  const got = await served.call({ method: 'POST', url: '/v1/account/transfers', body })
  expect(got.status, got.text).toBe(201)
  return got.body.data.transfer_id
}
/** Makes two events: a withdrawal that is held, and canceled. */
const twoEvents = async () => {
  const transfer_id = await withdraw()
  await served.call({ method: 'POST', url: `/v1/account/transfers/${transfer_id}/cancel`, body: {} })
}
const eventsAfter = async (sequence: number, types: readonly string[] = TYPES): Promise<WebhookEvent[]> =>
  (await get(`/webhook-events?after=${sequence}&event_type=${types.join(',')}&limit=1000`)).data
const deliveriesOf = async (webhook_id: string, query = ''): Promise<WebhookDelivery[]> => {
  const got = await served.call({ method: 'GET', url: `/v1/webhooks/${webhook_id}/deliveries${query}` })
  assertDescribed('list_webhook_deliveries', got)
  return got.body.data
}
const until = (holds: () => unknown) => vi.waitFor(holds, { timeout: 60_000, interval: 20 })
const ids = (events: readonly WebhookEvent[]) => events.map(({ event_id }) => event_id)

test('a receiver that fails at random gets every event, in order, under one id each, and as the API lists them', async () => {
  deliver()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(200, 204, 500, 429, 302, 404), { minLength: 4, maxLength: 12 }),
      async (answers) => {
        const receiver = await receive()
        let asked = 0
        receiver.answer = () => answers[asked++] ?? 200
        const { webhook_id, engine_sequence } = await hook(receiver)
        for (let n = 0; n < 3; n += 1) await twoEvents()
        const expected = await eventsAfter(engine_sequence)
        await until(() => expect(receiver.accepted()).toHaveLength(6))
        expect(receiver.accepted()).toEqual(expected)
        const sequences = receiver.arrivals.map(({ event }) => event.sequence)
        expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
        expect(receiver.arrivals.every(({ verified }) => verified.verified)).toBe(true)
        expect(receiver.at_once_max()).toBe(1)
        await until(async () => expect(await deliveriesOf(webhook_id, '?status=delivered')).toHaveLength(6))
        const logged = (await deliveriesOf(webhook_id)).reverse().flatMap(({ attempts }) => attempts)
        expect(logged.map(({ status_code }) => status_code)).toEqual(receiver.arrivals.map(({ status }) => status))
        await served.call({ method: 'DELETE', url: `/v1/webhooks/${webhook_id}` })
      },
    ),
    { numRuns: 6 },
  )
}, 120_000)

test('a process that ends between an attempt and its record: the next one sends the event again, under the same id', async () => {
  const receiver = await receive()
  const { webhook_id, engine_sequence } = await hook(receiver)
  let ended = 0
  receiver.answer = async () => {
    if (ended > 0) return 200
    ended += 1
    // Waits until it has ended: otherwise the attempt may still be recorded.
    await database.pool.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    return 200
  }
  deliver()
  await twoEvents()
  const expected = await eventsAfter(engine_sequence)
  await until(() => expect(receiver.arrivals).toHaveLength(3))
  const [first, second] = ids(expected)
  expect(ids(receiver.arrivals.map(({ event }) => event))).toEqual([first, first, second])
  expect(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).toEqual([first, first, second])
  await until(async () => expect(await deliveriesOf(webhook_id, '?status=delivered')).toHaveLength(2))
  expect(await deliveriesOf(webhook_id)).toHaveLength(2)
})

test('of two processes one delivers, and the other goes on where it stopped', async () => {
  const receiver = await receive()
  const { webhook_id, engine_sequence } = await hook(receiver)
  const [one, other] = [deliver(), deliver()]
  await until(() => expect([one, other].filter(({ gauges }) => gauges().delivers)).toHaveLength(1))
  await twoEvents()
  // One that ends before an answer is recorded sends the event again.
  await until(async () => expect(await deliveriesOf(webhook_id, '?status=delivered')).toHaveLength(2))
  await (one.gauges().delivers ? one : other).close()
  await twoEvents()
  await until(() => expect(receiver.arrivals).toHaveLength(4))
  expect(ids(receiver.arrivals.map(({ event }) => event))).toEqual(ids(await eventsAfter(engine_sequence)))
})

test('a rotated secret: both sign during the overlap, then the new one alone', async () => {
  deliver()
  const receiver = await receive()
  const { webhook_id, secret } = await hook(receiver)
  const rotate = async (overlap_seconds: number) =>
    (await post('rotate_webhook_secret', `/webhooks/${webhook_id}/rotate-secret`, { overlap_seconds })).body.data
  const rotated = await rotate(600)
  await withdraw()
  await until(() => expect(receiver.arrivals).toHaveLength(1))
  // The receiver still verifies with the former secret.
  expect(receiver.arrivals[0]!.verified.verified).toBe(true)
  expect(String(receiver.arrivals[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2)
  receiver.secrets = [rotated.secret]
  await withdraw()
  await until(() => expect(receiver.arrivals).toHaveLength(2))
  expect(receiver.arrivals[1]!.verified.verified).toBe(true)
  const last = await rotate(0)
  receiver.secrets = [secret!, rotated.secret]
  await withdraw()
  await until(() => expect(receiver.arrivals).toHaveLength(3))
  expect(receiver.arrivals[2]!.verified).toEqual({ verified: false, reason: 'signature_mismatch' })
  expect([last.secret_version, last.previous_secret_valid_until]).toEqual([3, null])
})

test('a replay from a cursor gives the list of events again; one of deliveries gives their events', async () => {
  deliver()
  const receiver = await receive()
  const { webhook_id, engine_sequence } = await hook(receiver)
  await twoEvents()
  await twoEvents()
  const listed = await eventsAfter(engine_sequence)
  await until(() => expect(receiver.arrivals).toHaveLength(4))
  const ask = (body: unknown) => post('replay_webhook', `/webhooks/${webhook_id}/replay`, body)
  expect((await ask({ from_cursor: engine_sequence })).status).toBe(200)
  await until(() => expect(receiver.arrivals).toHaveLength(8))
  const events = receiver.arrivals.map(({ event }) => event)
  expect(events).toEqual([...listed, ...listed])
  expect(receiver.arrivals[4]!.body).toBe(receiver.arrivals[0]!.body)
  const [newest] = await deliveriesOf(webhook_id, '?status=delivered&limit=1')
  const asked = await ask({ delivery_ids: [newest!.delivery_id] })
  await until(() => expect(receiver.arrivals).toHaveLength(9))
  expect(receiver.arrivals[8]!.event.event_id).toBe(newest!.event_id)
  await until(async () =>
    expect((await deliveriesOf(webhook_id))[0]).toMatchObject({ kind: 'redelivery', status: 'delivered' }),
  )
  expect((await deliveriesOf(webhook_id))[0]!.delivery_id).toBe(asked.body.data.delivery_ids[0])
  const absent = await ask({ delivery_ids: ['whd_absent'] })
  expect([absent.status, absent.body.error.code]).toEqual([422, 'WEBHOOK_DELIVERY_NOT_FOUND'])
  for (const body of [{}, { from_cursor: 0, delivery_ids: ['whd_absent'] }]) expect((await ask(body)).status).toBe(400)
  // Everything from the beginning of the account, and then what is new.
  const all = await eventsAfter(0)
  await ask({ from_cursor: 0 })
  await until(() => expect(receiver.arrivals).toHaveLength(9 + all.length))
  expect(receiver.arrivals.slice(9).map(({ event }) => event)).toEqual(all)
})

test('a slow receiver and a dead one hold up nobody; a cursor ahead passes what waits', async () => {
  deliver()
  const [slow, quick] = [await receive(), await receive()]
  let answerSlowly: (status: number) => void = () => undefined
  const asked_slow = new Promise<void>((asked) => {
    slow.answer = () =>
      new Promise((resolve) => {
        answerSlowly = resolve
        asked()
      })
  })
  const of_slow = await hook(slow)
  await served.call({
    ...{ method: 'POST', url: '/v1/webhooks' },
    body: { url: 'http://127.0.0.1:9/', event_types: TYPES },
  })
  await hook(quick)
  await twoEvents()
  await asked_slow
  await twoEvents()
  await until(() => expect(quick.arrivals).toHaveLength(4))
  expect(slow.arrivals).toEqual([])
  const [newest] = (await eventsAfter(of_slow.engine_sequence)).slice(-1)
  slow.answer = () => 200
  await post('replay_webhook', `/webhooks/${of_slow.webhook_id}/replay`, { from_cursor: newest!.sequence - 1 })
  answerSlowly(200)
  await until(() => expect(slow.accepted().at(-1)?.event_id).toBe(newest!.event_id))
  expect(slow.arrivals).toHaveLength(2)
})

test('a test is sent beside the order, once, while an event waits; its delivery says what came back', async () => {
  deliver({ retry: { first_ms: 60_000, max_ms: 60_000 } })
  const receiver = await receive()
  receiver.answer = ({ event_type }) => (event_type === 'webhook.test' ? 418 : 500)
  const { webhook_id } = await hook(receiver)
  await withdraw()
  await until(async () => expect(await deliveriesOf(webhook_id)).toMatchObject([{ attempt_count: 1 }]))
  // The lane sleeps by now.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const asked = (await post('test_webhook', `/webhooks/${webhook_id}/test`, {})).body.data
  await until(() => expect(receiver.arrivals).toHaveLength(2))
  await until(async () => {
    const tested = (await deliveriesOf(webhook_id)).find(({ kind }) => kind === 'test')
    expect(tested).toMatchObject({ delivery_id: asked.delivery_ids[0], status: 'failed', attempt_count: 1 })
    expect(tested!.attempts).toMatchObject([{ status_code: 418, failure: 'status_refused', answer: 'answer 418' }])
  })
  const [waiting] = await deliveriesOf(webhook_id, '?status=pending')
  expect(waiting).toMatchObject({ kind: 'event', attempt_count: 1, next_attempt_at: expect.any(String) })
  expect((await eventsAfter(0)).map(({ event_type }) => event_type)).not.toContain('webhook.test')
})

test('410 disables the webhook, which others are told; enabled again it goes on after the last event', async () => {
  deliver()
  const [gone, other] = [await receive(), await receive()]
  gone.answer = () => 410
  const { webhook_id } = await hook(gone)
  await hook(other, ['webhook.disabled'])
  await twoEvents()
  await until(() => expect(other.arrivals).toHaveLength(1))
  expect(gone.arrivals).toHaveLength(1)
  expect(other.arrivals[0]!.event.data).toMatchObject({ webhook_id, status: 'disabled', disabled_reason: 'gone' })
  expect(await get(`/webhooks/${webhook_id}`)).toMatchObject({ data: other.arrivals[0]!.event.data })
  gone.answer = () => 200
  const enabled = await served.call({ method: 'PATCH', url: `/v1/webhooks/${webhook_id}`, body: { status: 'enabled' } })
  assertDescribed('update_webhook', enabled)
  await until(() => expect(gone.accepted().map(({ event_type }) => event_type)).toContain('transfer.canceled'))
  expect(gone.accepted().map(({ event_type }) => event_type)).not.toContain('transfer.held')
})

test('a redirect is not followed, a long answer is cut, a slow one is ended, a private address is refused', async () => {
  deliver({ attempt_ms: 4_000 })
  const [receiver, elsewhere] = [await receive(), await receive()]
  const { webhook_id } = await hook(receiver)
  let asked = 0
  receiver.answer = (_event, response) => {
    asked += 1
    if (asked === 1) response.writeHead(302, { location: elsewhere.url }).end()
    else if (asked === 2) response.writeHead(500).end('x'.repeat(200_000))
    else if (asked === 3) response.writeHead(200).write('begun')
    else return 200
    return 0
  }
  await withdraw()
  await until(() => expect(receiver.arrivals).toHaveLength(4))
  expect(elsewhere.arrivals).toEqual([])
  await until(async () => {
    const [delivery] = await deliveriesOf(webhook_id)
    expect(delivery!.attempts.map(({ failure }) => failure)).toEqual([
      ...['redirect_refused', 'status_refused', 'timed_out', null],
    ])
    expect(delivery!.attempts[1]!.answer).toBe('x'.repeat(1024))
  })
  // As if its name had pointed elsewhere since: each attempt looks anew.
  await database.pool.query("UPDATE trading.webhook SET url = 'http://127.0.0.2/' WHERE webhook_id = $1", [webhook_id])
  await Promise.all(deliverers.splice(0).map((one) => one.close()))
  deliver()
  await withdraw()
  await until(async () => {
    const [delivery] = await deliveriesOf(webhook_id)
    expect(delivery!.attempts[0]).toMatchObject({ failure: 'target_refused', status_code: null })
  })
})

test('deliveries of another account are not found, nor is its webhook told', async () => {
  const receiver = await receive()
  const { webhook_id } = await hook(receiver)
  for (const path of ['', '/deliveries']) {
    const url = `/v1/webhooks/${webhook_id}${path}`
    const theirs = await served.call({ method: 'GET', url, key: served.keys.acct_b })
    expect([theirs.status, theirs.body.error.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
  }
  deliver()
  const body = { account_id: 'acct_b', direction: 'withdrawal', asset_id: 'asset_usd', amount: '1' }
  await served.call({ method: 'POST', url: '/v1/account/transfers', body, key: served.keys.acct_b })
  await withdraw()
  await until(() => expect(receiver.arrivals).toHaveLength(1))
  expect(receiver.arrivals[0]!.event.account_id).toBe('acct_a')
})

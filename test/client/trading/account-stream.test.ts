import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAccountMirror } from '../../../client/trading/account-mirror.ts'
import { type AccountStream, createAccountStream } from '../../../client/trading/stream/account-stream.ts'
import type { TopicChange } from '../../../client/trading/stream/followed-topic.ts'
import type { StreamSocket } from '../../../client/trading/stream/stream-socket.ts'
import { createTradingClient, type TradingClient } from '../../../client/trading/trading-client.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { MARKET_ID, OUTCOME_ID, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'
import { type ServedStream, serveStream } from '../../support/trading/served-streams.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

const database = withDatabase()
let served: ServedAccounts
let stream: ServedStream
let buyer: TradingClient
let seller: TradingClient
const opened: AccountStream[] = []
/** The sockets of the connections, to be cut. */
const sockets: WebSocket[] = []

const open = (url: string): StreamSocket => {
  const socket = new WebSocket(url)
  sockets.push(socket)
  return socket as unknown as StreamSocket
}

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  stream = await serveStream(served, { app: served.app })
  const client = (account: 'acct_a' | 'acct_b', byte: string) => {
    const { key_id, environment, secret } = served.keys[account] as {
      key_id: string
      environment: string
      secret: string
    }
    const signer_private_key = `0x${byte.repeat(32)}`
    return createTradingClient({
      base_url: stream.base_url,
      account_id: account,
      key_id,
      secret,
      environment,
      signer_private_key,
    })
  }
  buyer = client('acct_a', '0a')
  seller = client('acct_b', '0b')
}, 180_000)
afterAll(async () => {
  for (const one of opened) one.close()
  await stream.stop()
  await served.close()
})

function openStream(
  given: {
    readonly key?: ServedAccounts['keys']['acct_a']
    readonly onProblem?: (problem: { code: string }) => void
  } = {},
) {
  const made = createAccountStream({
    base_url: stream.base_url,
    key: given.key ?? served.keys.acct_a,
    open,
    retry_ms: { first: 20, max: 100 },
    ...(given.onProblem === undefined ? {} : { onProblem: given.onProblem }),
  })
  opened.push(made)
  return made
}

const terms = {
  market_id: MARKET_ID,
  outcome_id: OUTCOME_ID,
  quantity: '2',
  maximum_fee: '10',
  maximum_notional: '100',
}
async function trade(): Promise<void> {
  await seller.placeOrder({ ...terms, side: 'SELL', limit_price: '0.40' })
  await buyer.placeOrder({ ...terms, side: 'BUY', limit_price: '0.40' })
}
const until = async (holds: () => boolean) => {
  await expect.poll(holds, { interval: 10 }).toBe(true)
}

test('a follower is told what is, then every move, also across breaks of the connection', async () => {
  const changes: TopicChange[] = []
  openStream().follow('account.order', (change) => changes.push(change))
  await until(() => changes.length > 0)
  expect(changes[0]).toMatchObject({ type: 'snapshot', complete: true })
  for (let n = 0; n < 3; n += 1) {
    sockets.at(-1)!.terminate()
    await trade()
  }
  const last = async () => (await served.trading.reads.head()).engine_sequence
  const head = await last()
  await until(() =>
    changes.some((change) => change.type === 'event' && change.seq > head - 40 && change.kind === 'filled'),
  )
  const rest: string[] = []
  for await (const order of buyer.orders()) rest.push(`${order.order_id} ${order.version} ${order.status}`)
  await until(() => rest.every((one) => told().includes(one)))
  function told(): string[] {
    return changes.flatMap((change) =>
      change.type === 'event' ? [`${change.data.order_id} ${change.projection_version} ${change.data.status}`] : [],
    )
  }
  expect(new Set(told()).size).toBe(told().length)
  expect(changes.filter(({ type }) => type === 'gap')).toEqual([])
})

test('a mirror reconciles with REST: trades, settlements, adjustments, broken connections', async () => {
  const shared = openStream()
  const heard: TopicChange[] = []
  shared.follow('account.fill', (change) => heard.push(change))
  const mirror = createAccountMirror(buyer, shared)
  await mirror.start()
  expect(await mirror.reconcile()).toEqual({ equal: true, differing: [] })
  await trade()
  sockets.at(-1)!.terminate()
  await trade()
  const ids: string[] = []
  for await (const { settlement_id } of buyer.settlements({ state: 'pending' })) ids.push(settlement_id)
  await served.act(submitting(ids))
  await served.act(concluding(ids.slice(1)))
  await served.act(concluding(ids.slice(0, 1), 'failed'))
  sockets.at(-1)!.terminate()
  await served.act(bustCommand(mirror.state().fills[0]?.fill_id ?? (await newestFill()), 'adj_client'))
  expect(await mirror.reconcile(60_000)).toEqual({ equal: true, differing: [] })
  const { settlements, adjustments, fills } = mirror.state()
  expect(new Set(settlements.map(({ state }) => state))).toEqual(new Set(['confirmed', 'failed']))
  expect([adjustments.length, fills.length > 0, heard.length > fills.length]).toEqual([1, true, true])
  mirror.stop()
})

test('what was kept from the mirror is found, and everything is read anew', async () => {
  const real = openStream()
  // A fault: balances are never told.
  const deaf: AccountStream = {
    ...real,
    follow: (topic, listener, options) =>
      topic === 'account.balance' ? () => null : real.follow(topic, listener, options),
  }
  const mirror = createAccountMirror(buyer, deaf)
  await mirror.start()
  const before = mirror.state()
  await trade()
  // By then every update except the balance has arrived.
  await until(() => {
    const { fills, settlements, positions } = mirror.state()
    const grown = fills.length > before.fills.length && settlements.length > before.settlements.length
    return grown && JSON.stringify(positions) !== JSON.stringify(before.positions)
  })
  const found = await mirror.reconcile(500)
  expect(found.equal).toBe(false)
  expect(found.differing).toEqual([mirror.state().balances[0]!.balance_id])
  expect(await mirror.reconcile(500)).toEqual({ equal: true, differing: [] })
  mirror.stop()
})

test('a stream that is late by more than reads are apart agrees too, while the account moves', async () => {
  const real = openStream()
  const late: AccountStream = {
    ...real,
    follow: (topic, listener, options) =>
      real.follow(topic, (change) => void setTimeout(() => listener(change), 3_000), options),
  }
  const mirror = createAccountMirror(buyer, late)
  await mirror.start()
  let is_over = false
  const moving = (async () => {
    while (!is_over) await trade()
  })()
  await until(() => mirror.state().fills.length > 0)
  const found = await mirror.reconcile(80_000)
  is_over = true
  await moving
  mirror.stop()
  expect(found).toEqual({ equal: true, differing: [] })
})

test('a key that is refused ends the stream with its code', async () => {
  const codes: string[] = []
  const key = { ...served.keys.acct_a, secret: 'ab'.repeat(32) } as ServedAccounts['keys']['acct_a']
  openStream({ key, onProblem: ({ code }) => codes.push(code) })
  await until(() => codes.length > 0)
  await new Promise((next) => setTimeout(next, 100))
  expect(codes).toEqual(['AUTH_CREDENTIALS_INVALID'])
})

async function newestFill(): Promise<string> {
  for await (const { fill_id } of buyer.fills()) return fill_id
  throw new Error('a fill is there')
}

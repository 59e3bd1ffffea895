import { randomBytes, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { readOf, writeOf } from '../wire-request.ts'
import type { HostileTarget } from './target.ts'

/** Longest text of a label, three bytes a character. */
const LONGEST = '\u4e2d'.repeat(256)

type Attack = (target: HostileTarget) => Promise<void>

/** Attacks of one account and one address at full rate, by name. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  open_orders_then_cancel_all: async (target) => {
    const { account_id } = target.plan.account
    const body = { account_id, scope: 'all_open_orders' }
    await target.flood(4, async () => {
      const orders = await Promise.all(Array.from({ length: 50 }, () => target.restingOrder()))
      await target.send(writeOf(target.key, '/orders/batch', { orders }))
      const idempotency_key = randomUUID()
      for (let again = 0; again < 3; again += 1)
        await target.send(writeOf(target.key, '/orders/cancel-all', body, { idempotency_key }))
    })
  },

  rejected_orders: async (target) => {
    const labels = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`label_${n}`.padEnd(64, '_'), LONGEST]))
    const absent = { market_id: 'mkt_absent', outcome_id: 'out_absent' }
    await target.flood(4, async () => {
      const orders = await Promise.all(Array.from({ length: 15 }, () => target.restingOrder(absent)))
      const labeled = orders.map((order) => ({ ...(order as object), labels }))
      const idempotency_key = randomUUID()
      for (let again = 0; again < 2; again += 1)
        await target.send(writeOf(target.key, '/orders/batch', { orders: labeled }, { idempotency_key }))
    })
  },

  reads_as_of_now: (target) =>
    target.flood(8, async () => {
      const as_of = new Date(Date.now() - 1).toISOString()
      await target.get(`/v1/markets/${target.plan.book.market_id}/price?as_of=${as_of}`)
      await target.get(`/v1/events/evt_absent?as_of=${as_of}`)
      await target.get(`/v1/indexes?as_of=${as_of}`)
    }),

  private_reads_as_of_now: (target) =>
    target.flood(8, async () => {
      const as_of = new Date(Date.now() - 1).toISOString()
      await target.send(readOf(target.key, `/balances?as_of=${as_of}`))
      await target.send(readOf(target.key, `/positions?as_of=${as_of}`))
    }),

  malformed_bodies: (target) => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
    const faults = JSON.stringify({ orders: Array.from({ length: 5_000 }, (_, n) => ({ [`field_${n}`]: n })) })
    return target.flood(8, async () => {
      await target.send(writeOf(target.key, '/orders', deep))
      await target.send(writeOf({ ...target.key, key_id: `key_${'0'.repeat(20)}` }, '/orders/batch', faults))
      await target.send(writeOf(target.key, '/orders/batch', faults))
    })
  },

  documents_and_unknown_paths: (target) =>
    target.flood(8, async () => {
      await target.get('/openapi.json')
      await target.get('/docs')
      await target.get(`/v1/${randomBytes(8).toString('hex')}`)
    }),

  wrong_signatures: (target) =>
    target.flood(8, async () => {
      const wire = readOf(target.key, '/orders')
      await target.send({
        ...wire,
        headers: { ...wire.headers, 'SVC-Access-Signature': randomBytes(32).toString('base64') },
      })
      await target.send(wire)
      await target.send(wire)
    }),

  sockets_and_subscriptions: async (target) => {
    const { market_id, outcome_id } = target.plan.book
    const topics = [
      { topic: 'market.orderbook', market_id, outcome_id },
      { topic: 'market.ticker', market_id },
      { topic: 'index.price', index_id: 'idx_live_current' },
    ]
    const asks = Array.from({ length: 1000 }, (_, n) => ({
      op: 'subscribe',
      id: `s${n}`,
      ...topics[n % topics.length],
    }))
    const open: WebSocket[] = []
    await target.flood(1, async () => {
      open.push(target.socket(asks))
      if (open.length > 400) open.shift()!.terminate()
      await sleep(10)
    })
    for (const socket of open) socket.terminate()
  },

  history_reads: (target) => {
    const { market_id, outcome_id } = target.plan.book
    return target.flood(38, async () => {
      await target.get(`/v1/markets/${market_id}/prices?outcome_id=${outcome_id}&limit=1000`)
      await target.get(`/v1/markets/${market_id}/trades?limit=1000`)
    })
  },

  connections_that_stall: async (target) => {
    const { hostname, port } = new URL(target.plan.ready.base_url)
    const open: Socket[] = []
    await target.flood(1, async () => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' })
      socket.on('connect', () => target.note('connected'))
      socket.on('error', () => target.note('closed'))
      socket.on('close', () => target.note('ended'))
      socket
        .pause()
        .write(open.length % 2 === 0 ? 'GET /v1/markets?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n' : 'GET /v1/')
      open.push(socket)
      await sleep(2)
    })
    for (const socket of open) socket.destroy()
  },

  large_answers: async (target) => {
    await longOrders(target)
    await target.flood(20, () => target.send(readOf(target.key, LONG_PAGE)))
  },

  unread_answers: async (target) => {
    await longOrders(target)
    const { hostname, port } = new URL(target.plan.ready.base_url)
    const open: Socket[] = []
    await target.flood(1, async () => {
      const { target: path, headers } = readOf(target.key, LONG_PAGE)
      const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' })
      socket.on('connect', () => target.note('connected'))
      socket.on('error', () => target.note('closed'))
      socket.pause().write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
      open.push(socket)
      await sleep(100)
    })
    for (const socket of open) socket.destroy()
  },
}

const LONG_PAGE = '/orders?status=rejected&limit=1000'
/** Labels as long as they may be: an order of more than 5 KB. */
const LONG_LABELS = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [`label_${n}`.padEnd(64, '_'), 'x'.repeat(256)]),
)

/** Has orders rejected until their pages are as long as pages may be; then the time of the attack begins. */
async function longOrders(target: HostileTarget): Promise<void> {
  while ((await target.send(readOf(target.key, LONG_PAGE))).text.length < LONG_ENOUGH) {
    // Half a batch stays below the longest body.
    const orders = await Promise.all(Array.from({ length: 25 }, () => target.restingOrder({ limit_price: '0.0101' })))
    const labelled = orders.map((order) => ({ ...order, labels: LONG_LABELS }))
    const { status } = await target.send(writeOf(target.key, '/orders/batch', { orders: labelled }))
    if (status >= 300) await sleep(500)
  }
  target.begin()
}
/** Bytes of a page that ended early. */
const LONG_ENOUGH = 1_000_000

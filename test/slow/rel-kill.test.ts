import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseCopy, StoredOrder } from '../../tools/reliability/kill/database-copy.ts'
import type { JournalEntry } from '../../tools/reliability/kill/journal.ts'
import { type Chapter, runChapter } from '../../tools/reliability/kill/run-chapter.ts'
import { findIn } from '../../tools/reliability/kill/run-kills.ts'
import { FAST } from '../support/trading/postgres.ts'

/** A seed whose kills hit each process, a named place and a pause beyond the lease; the twelve also a pause below it. */
const SEED = 101
const KILLS = 12

const newHome = () => mkdtempSync(join(tmpdir(), 'tidemark-kill-'))
const home = newHome()
let chapter: Chapter

beforeAll(async () => {
  const load = { kills: KILLS, clients: 6, acknowledged: 30 }
  chapter = await runChapter({ seed: SEED, chapter: 1, home, postgres: FAST, ...load })
}, 400_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('kills under load', () => {
  test('leave nothing lost, doubled, changed or out of balance', () => {
    expect(findIn(chapter).violations).toEqual([])
    expect(chapter.audits).toBe(KILLS + 1)
    expect(chapter.copy.orders.length).toBeGreaterThan(100)
  })

  test('hit everything there is, and leave clients without an answer', () => {
    const targets = new Set(chapter.kills.map(({ target }) => target))
    expect([...targets].sort()).toEqual(['api', 'engines', 'killpoint', 'leader', 'pause', 'postgres'])
    expect(chapter.recoveries_ms).toHaveLength(KILLS)
    const { placed, canceled, amended, unknown, repeated, quoted, switched } = chapter.tally
    const counts = {
      placed,
      canceled,
      amended,
      unknown,
      repeated,
      quoted,
      switched,
      protected: chapter.tally.protected,
    }
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  })
})

describe('the lane sees a fault that is planted', () => {
  const codes = (changed: Partial<Chapter>) => [...findIn({ ...chapter, ...changed }).counts.keys()].sort()
  const ordersWith = (change: (orders: readonly StoredOrder[]) => readonly StoredOrder[]) => {
    const copy: DatabaseCopy = { ...chapter.copy, orders: change(chapter.copy.orders) }
    return codes({ copy })
  }
  const placed = (): JournalEntry =>
    chapter.entries.find(({ kind, answers }) => kind === 'place' && answers[0]?.status === 201)!
  const isMade = ({ client_order_id, account_id }: StoredOrder) =>
    client_order_id === placed().client_order_id && account_id === placed().account_id

  test('an acknowledged order that is gone (D1)', () => {
    expect(ordersWith((orders) => orders.filter((order) => !isMade(order)))).toEqual(['D1'])
  })

  test('an acknowledged order that is as it was before (D1)', () => {
    const earlier = (order: StoredOrder) => (isMade(order) ? { ...order, version: 0 } : order)
    expect(ordersWith((orders) => orders.map(earlier))).toEqual(['D1'])
  })

  test('an order that nobody asked for (D2)', () => {
    const phantom = { ...chapter.copy.orders[0]!, order_id: 'ord_phantom', client_order_id: 'nobody' }
    expect(ordersWith((orders) => [...orders, phantom])).toEqual(['D2'])
  })

  test('a ladder of which one order is missing (D1)', () => {
    const ladder = chapter.entries.find((entry) => entry.ladder.length > 1 && entry.answers[0]?.status === 200)!
    const isLast = ({ client_order_id, account_id }: StoredOrder) =>
      client_order_id === ladder.ladder.at(-1) && account_id === ladder.account_id
    expect(ordersWith((orders) => orders.filter((order) => !isLast(order)))).toEqual(['D1'])
  })

  test('an intent that was carried out twice (D3)', () => {
    const twice = (order: StoredOrder) => (isMade(order) ? [order, { ...order, order_id: 'ord_twice' }] : [order])
    expect(ordersWith((orders) => orders.flatMap(twice))).toEqual(['D3'])
  })

  test('a retry that would be answered otherwise, by one byte', () => {
    const { idempotency_key } = placed()
    const answers = chapter.copy.answers.map((answer) =>
      answer.idempotency_key === idempotency_key ? { ...answer, data: ` ${answer.data}` } : answer,
    )
    expect(codes({ copy: { ...chapter.copy, answers } })).toEqual(['CHANGED'])
  })

  test('a retry that was answered otherwise', () => {
    const entries = chapter.entries.map((entry) => {
      const [first] = entry.answers
      if (entry.n !== placed().n || entry.account_id !== placed().account_id) return entry
      return { ...entry, answers: [first!, { ...first!, data: first!.data!.replace('{', '{ ') }] }
    })
    expect(codes({ entries })).toEqual(['CHANGED'])
  })

  test('an answer that was not kept (D1)', () => {
    const { idempotency_key } = placed()
    const answers = chapter.copy.answers.filter((answer) => answer.idempotency_key !== idempotency_key)
    expect(codes({ copy: { ...chapter.copy, answers } })).toEqual(['D1'])
  })

  test('an intent that never ended (D3)', () => {
    const entries = chapter.entries.map((entry) => (entry === placed() ? { ...entry, answers: [] } : entry))
    expect(codes({ entries })).toContain('D3')
  })
})

test('a database that tells of commits before it has written them is found out', async () => {
  const careless = newHome()
  try {
    const lazy = { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '1GB' }
    const plan = Array.from({ length: 3 }, () => ({ target: 'postgres', after_acknowledged: 60 }) as const)
    const load = { kills: plan.length, plan, clients: 4, acknowledged: 60 }
    const found = findIn(
      await runChapter({ seed: 1, chapter: 1, home: careless, postgres: { ...FAST, ...lazy }, ...load }),
    )
    expect(found.violations).not.toEqual([])
    expect(found.counts.get('D1')).toBeGreaterThan(0)
  } finally {
    rmSync(careless, { recursive: true, force: true })
  }
}, 240_000)

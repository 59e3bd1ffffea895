import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OrderEvent } from '../../trading/engine/events.ts'
import { MARKET_MOVES } from '../../trading/engine/market-status.ts'
import { RESOLUTION_MOVES } from '../../trading/engine/resolution-states.ts'
import { SETTLEMENT_MOVES } from '../../trading/engine/settlement-states.ts'
import { mayMove, ORDER_TRANSITIONS } from '../../trading/order/order-states.ts'
import { ENDED_ORDER_STATUSES, ORDER_STATUSES, type OrderStatus } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { ROOT } from '../support/source-files.ts'
import { randomSubmissions } from '../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { MemoryEngine } from './support/memory-engine.ts'

/** Rows of the first table of a page, without its head. */
function tableOf(page: string): string[] {
  const lines = readFileSync(join(ROOT, 'docs/state-machines', page), 'utf8').split('\n')
  const head = lines.findIndex((line) => line.startsWith('|---'))
  const after = lines.slice(head + 1)
  return after.slice(
    0,
    after.findIndex((line) => !line.startsWith('|')),
  )
}

test('the page of an order’s states is the table of the code', () => {
  const rows = ORDER_STATUSES.flatMap((from) => {
    const told = Object.entries(ORDER_TRANSITIONS[from]).map(
      ([to, reasons]) => `| ${from} | ${to} | ${reasons === true ? '-' : reasons.join(', ')} |`,
    )
    return told.length === 0 ? [`| ${from} | - | - |`] : told
  })
  expect(tableOf('order.md')).toEqual(rows)
})

test('an order has ended in the states that no move leads out of', () => {
  const last = ORDER_STATUSES.filter((status) => Object.keys(ORDER_TRANSITIONS[status]).length === 0)
  expect([...ENDED_ORDER_STATUSES].sort()).toEqual(last.sort())
})

test('the page of a market’s states is the table of the code', () => {
  const rows = Object.entries(MARKET_MOVES).map(([from, to]) => `| ${from} | ${to.join(', ') || '-'} |`)
  expect(tableOf('market.md')).toEqual(rows)
})

test('the page of a settlement’s states is the table of the code', () => {
  const rows = Object.entries(SETTLEMENT_MOVES).map(([from, to]) => `| ${from} | ${to.join(', ') || '-'} |`)
  expect(tableOf('settlement.md')).toEqual(rows)
  expect(Object.keys(SETTLEMENT_MOVES).sort()).toEqual([...SETTLEMENT_STATES].sort())
})

test('the page of a resolution’s states is the table of the code', () => {
  const rows = Object.entries(RESOLUTION_MOVES).map(([from, to]) => `| ${from} | ${to.join(', ') || '-'} |`)
  expect(tableOf('resolution.md')).toEqual(rows)
})

test('every order of a random history went along the table, its version up by one each time', () => {
  const engine = new MemoryEngine()
  engine.submit(...new SubmissionMaker('s').setUp(['acct_a', 'acct_b', 'acct_c']))
  for (const submission of randomSubmissions(5, 400, engine.now)) engine.submit(submission)
  const seen = new Map<string, { status: OrderStatus; version: number; reserved_amount: number }>()
  const moves = new Set<string>()
  for (const { kind, body } of engine.rows('engine_event')) {
    if (kind !== 'order') continue
    const { order_id, status, version, terminal_reason, reserved_amount } = body as OrderEvent
    const before = seen.get(order_id) ?? { status: 'received', version: 1, reserved_amount: 0 }
    expect([order_id, version]).toEqual([order_id, before.version + 1])
    // Without a move an order is told only where another order's fill changed what is reserved for it.
    const reserve_moved = status === before.status && reserved_amount !== before.reserved_amount
    const may = reserve_moved || mayMove(before.status, status, terminal_reason)
    expect([before.status, status, may]).toEqual([before.status, status, true])
    moves.add(`${before.status} ${status}`)
    seen.set(order_id, { status, version, reserved_amount })
  }
  expect(moves.size).toBeGreaterThan(12)
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createReadTurns, type ReadTurnLimits } from '../../../api/private/read-turns.ts'

const LIMITS: ReadTurnLimits = {
  ...{ at_once_max: 3, of_account_at_once_max: 2, waiting_max: 4, waiting_of_account_max: 3 },
  wait_ms: 5000,
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Turns whose reads run until they are ended; `order` names them as they start. */
function turnsOf(limits: Partial<ReadTurnLimits> = {}) {
  const turns = createReadTurns({ ...LIMITS, ...limits })
  const order: string[] = []
  const ends: (() => void)[] = []
  const outcomes: Record<string, string> = {}
  const ask = (account_id: string, name = `${account_id}${Object.keys(outcomes).length}`) => {
    outcomes[name] = 'waits'
    const read = () =>
      new Promise<void>((resolve) => {
        order.push(name)
        ends.push(resolve)
      })
    turns.run(account_id, read).then(
      () => {
        outcomes[name] = 'done'
      },
      ({ code, facts }) => {
        outcomes[name] = `${code} ${'retry_after_ms' in facts}`
      },
    )
    return vi.advanceTimersByTimeAsync(0)
  }
  const end = () => {
    ends.shift()!()
    return vi.advanceTimersByTimeAsync(0)
  }
  return { turns, order, outcomes, ask, end }
}

describe('private reads', () => {
  test('of one account run at most two at once, of all at most three', async () => {
    const { order, ask, turns } = turnsOf()
    for (const account of ['a', 'a', 'a', 'b', 'b']) await ask(account)
    expect(order).toEqual(['a0', 'a1', 'b3'])
    expect(turns.stats()).toMatchObject({ running: 3, waiting: 2 })
  })

  test('take turns: who has one waiting read does not wait for the many of another', async () => {
    const { order, ask, end } = turnsOf({ at_once_max: 1 })
    for (const account of ['a', 'a', 'a', 'b']) await ask(account)
    for (let n = 0; n < 3; n += 1) await end()
    expect(order).toEqual(['a0', 'a1', 'b3', 'a2'])
  })

  test('of an account beyond those that may wait are refused, and no others', async () => {
    const { outcomes, ask, turns } = turnsOf()
    for (let n = 0; n < 6; n += 1) await ask('a', `a${n}`)
    expect([outcomes.a4, outcomes.a5]).toEqual(['waits', 'RATE_LIMIT_EXCEEDED true'])
    await ask('b', 'b')
    expect(outcomes.b).toBe('waits')
    expect(turns.stats().refused).toEqual({ account: 1, queue: 0, wait: 0 })
  })

  test('of an account that waits less than another drive one of that out of a full queue', async () => {
    const { outcomes, ask, turns } = turnsOf({ at_once_max: 1 })
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b0']) await ask(name[0]!, name)
    expect(Object.values(outcomes)).toEqual(['waits', 'waits', 'waits', 'waits', 'waits'])
    await ask('c', 'c0')
    expect([outcomes.a3, outcomes.c0]).toEqual(['SERVICE_UNAVAILABLE true', 'waits'])
    expect(turns.stats().refused).toEqual({ account: 0, queue: 1, wait: 0 })
  })

  test('wait no longer than wait_ms', async () => {
    const { outcomes, ask, turns } = turnsOf({ at_once_max: 1 })
    await ask('a', 'first')
    await ask('b', 'late')
    await vi.advanceTimersByTimeAsync(LIMITS.wait_ms - 1)
    expect(outcomes.late).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(outcomes.late).toBe('SERVICE_UNAVAILABLE false')
    expect(turns.stats()).toMatchObject({ waiting: 0, refused: { account: 0, queue: 0, wait: 1 } })
  })

  test('that fail end their turn too', async () => {
    const { turns, order, ask } = turnsOf({ at_once_max: 1 })
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await ask('b', 'next')
    expect(order).toEqual(['next'])
  })
})

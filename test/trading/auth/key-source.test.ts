import { beforeEach, expect, test } from 'vitest'
import type { AuthKey } from '../../../trading/auth/auth-key.ts'
import { type CachedKeySource, createKeySource } from '../../../trading/auth/key-source.ts'

const named = (key_id: string, revoked_at: number | null = null) => ({ key_id, revoked_at }) as AuthKey

let now_ms: number
let asked: string[]
let stored: Map<string, AuthKey>
let source: CachedKeySource
beforeEach(() => {
  now_ms = 0
  asked = []
  stored = new Map([['key_1', named('key_1')]])
  source = createKeySource(
    async (key_id) => {
      asked.push(key_id)
      return stored.get(key_id) ?? null
    },
    () => now_ms,
  )
})

test('a key is asked for once in half a second, also by many at the same time', async () => {
  await Promise.all([source.find('key_1'), source.find('key_1')])
  now_ms = 499
  await source.find('key_1')
  expect(asked).toEqual(['key_1'])
  now_ms = 500
  await source.find('key_1')
  expect(asked).toHaveLength(2)
})

test('a revoked key is revoked within half a second, or as soon as it is told', async () => {
  await source.find('key_1')
  stored.set('key_1', named('key_1', 1))
  expect((await source.find('key_1'))?.revoked_at).toBeNull()
  source.forget('key_1')
  expect((await source.find('key_1'))?.revoked_at).toBe(1)
  stored.set('key_1', named('key_1', 2))
  source.forget()
  expect((await source.find('key_1'))?.revoked_at).toBe(2)
})

test('while changes are told, a key that is not forgotten is as good as looked up', async () => {
  let told: { from_ms: number; until_ms: number } | null = { from_ms: 100, until_ms: 100 }
  const loads: number[] = []
  const followed = createKeySource(
    async (key_id) => {
      loads.push(now_ms)
      return stored.get(key_id) ?? null
    },
    () => now_ms,
    () => told,
  )
  // Asked before changes were told: one in between was not.
  await followed.find('key_1')
  now_ms = 500
  told = { from_ms: 100, until_ms: 500 }
  await followed.find('key_1')
  expect(loads).toEqual([0, 500])
  for (now_ms = 600; now_ms < 5_000; now_ms += 400) {
    told = { from_ms: 100, until_ms: now_ms - 100 }
    await followed.find('key_1')
  }
  expect(loads).toHaveLength(2)
  // Nobody tells any longer: half a second later it is looked up again.
  now_ms = told.until_ms + 500
  await followed.find('key_1')
  expect(loads).toHaveLength(3)
  told = { from_ms: 100, until_ms: now_ms }
  followed.forget('key_1')
  await followed.find('key_1')
  expect(loads).toHaveLength(4)
})

test('what was asked before a key changed is not kept, however late the answer comes', async () => {
  let answer = (_key: AuthKey | null) => {}
  const slow = createKeySource(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
    () => now_ms,
  )
  const before = slow.find('key_1')
  const answerBefore = answer
  slow.forget('key_1')
  const after = slow.find('key_1')
  answer(named('key_1', 1))
  answerBefore(named('key_1'))
  expect((await before)?.revoked_at).toBeNull()
  expect((await after)?.revoked_at).toBe(1)
  expect((await slow.find('key_1'))?.revoked_at).toBe(1)
})

test('the age of a key counts from the question', async () => {
  const found = source.find('key_1')
  now_ms = 500
  await found
  await source.find('key_1')
  expect(asked).toHaveLength(2)
})

test('unknown keys are remembered too, and at most 10,000 of all', async () => {
  expect(await source.find('key_0')).toBeNull()
  for (let n = 1; n <= 10_000; n += 1) await source.find(`key_x${n}`)
  asked = []
  await source.find('key_x1')
  expect(asked).toEqual([])
  await source.find('key_0')
  expect(asked).toEqual(['key_0'])
})

test('a question that failed is asked again', async () => {
  let failing = true
  const flaky = createKeySource(async () => {
    if (failing) throw new TypeError('no connection')
    return named('key_1')
  })
  await expect(flaky.find('key_1')).rejects.toThrow('no connection')
  failing = false
  expect((await flaky.find('key_1'))?.key_id).toBe('key_1')
})

test('an account that has changed: its keys are asked for anew, also those asked for just now, and no others', async () => {
  const of = (key_id: string, account_id: string) => ({ ...named(key_id), account_id })
  stored = new Map([
    ['key_1', of('key_1', 'acct_a')],
    ['key_2', of('key_2', 'acct_b')],
  ])
  await Promise.all([source.find('key_1'), source.find('key_2'), source.find('key_none')])
  source.forgetAccount('acct_a')
  await Promise.all([source.find('key_1'), source.find('key_2'), source.find('key_none')])
  expect(asked).toEqual(['key_1', 'key_2', 'key_none', 'key_1'])
  source.forget()
  const asking = source.find('key_2')
  source.forgetAccount('acct_a')
  await Promise.all([asking, source.find('key_2')])
  expect(asked.slice(4)).toEqual(['key_2', 'key_2'])
})

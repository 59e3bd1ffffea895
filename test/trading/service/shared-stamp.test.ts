import { expect, test } from 'vitest'
import { sharedStamp } from '../../../trading/service/shared-stamp.ts'

test('whoever asks before a stamp begins is answered by it; the next one begins a second later', async () => {
  const stamps: { readonly at: number; readonly began_ms: number }[] = []
  const stamp = sharedStamp(async (at) => void stamps.push({ at, began_ms: performance.now() }))
  await stamp(1)
  await Promise.all(Array.from({ length: 50 }, (_, n) => stamp(2 + n)))
  expect(stamps.map(({ at }) => at)).toEqual([1, 51])
  // Both ends of a timer are whole milliseconds of the event loop's clock.
  expect(stamps[1]!.began_ms - stamps[0]!.began_ms).toBeGreaterThanOrEqual(998)
})

test('a stamp that fails fails its callers only', async () => {
  let calls = 0
  const stamp = sharedStamp(async () => {
    calls += 1
    if (calls === 1) throw new Error('no engine')
  })
  await expect(Promise.all([stamp(1), stamp(2)])).rejects.toThrow('no engine')
  await stamp(3)
  expect(calls).toBe(2)
})

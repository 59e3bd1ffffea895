import { afterEach, expect, test, vi } from 'vitest'
import { fetchLogFile } from '../../../client/transparency/fetch-log-file.ts'

afterEach(() => vi.unstubAllGlobals())

/** A service that gives these answers in turn, the last one again and again. */
function answering(...answers: readonly (readonly [status: number, headers?: Record<string, string>])[]) {
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    const [status, headers = {}] = answers[Math.min(asked, answers.length - 1)]!
    asked += 1
    return new Response(status === 200 ? 'tile' : null, { status, headers })
  })
  return () => asked
}

test('waits as long as a rate limit asks, as often as needed', async () => {
  const asked = answering(...Array.from({ length: 7 }, () => [429, { 'retry-after': '0.001' }] as const), [200])
  expect(new TextDecoder().decode((await fetchLogFile('http://log.example/log/tile/0/000'))!)).toBe('tile')
  expect(asked()).toBe(8)
})

test('tries a busy service again, but not for ever', async () => {
  const asked = answering([503, { 'retry-after': '0.001' }])
  await expect(fetchLogFile('http://log.example/log/checkpoint')).rejects.toThrow('answers with 503')
  expect(asked()).toBe(5)
})

test('has nothing of a file that does not exist, and does not repeat a fault', async () => {
  answering([404])
  expect(await fetchLogFile('http://log.example/log/checkpoint')).toBeNull()
  const asked = answering([500])
  await expect(fetchLogFile('http://log.example/log/checkpoint')).rejects.toThrow('answers with 500')
  expect(asked()).toBe(1)
})

import { expect, test } from 'vitest'
import { apiAt, getAll } from '../../console/data/api-client.ts'
import { ApiError } from '../../console/data/api-error.ts'
import { createTurns } from '../../console/data/turns.ts'

const signal = new AbortController().signal
const AS_OF = '2026-01-17T00:00:00Z'

function answering(...answers: readonly (readonly [status: number, body: unknown] | Error)[]) {
  const urls: string[] = []
  const waits: number[] = []
  const ports = {
    fetch: async (url: string) => {
      const answer = answers[urls.push(url) - 1]!
      if (answer instanceof Error) throw answer
      return new Response(JSON.stringify(answer[1]), { status: answer[0] })
    },
    turns: createTurns(async (millis) => void waits.push(millis)),
  }
  return { urls, waits, ports }
}

const page = (data: readonly string[], next_cursor: string | null) =>
  [200, { data, page: { next_cursor, has_more: next_cursor !== null }, meta: {} }] as const
const refusal = (status: number, code: string, more = {}) =>
  [status, { error: { code, message: 'why', retryable: false, request_id: 'req', ...more } }] as const

test('every read has the instant, every page of a collection too', async () => {
  const { urls, ports } = answering(page(['a'], 'next'), page(['b'], null))
  expect(await getAll(apiAt(AS_OF, ports), '/indexes', { limit: 1 }, signal)).toEqual(['a', 'b'])
  const as_of = encodeURIComponent(AS_OF)
  expect(urls).toEqual([`/v1/indexes?limit=1&as_of=${as_of}`, `/v1/indexes?limit=1&cursor=next&as_of=${as_of}`])
})

test('a read of now names no instant', async () => {
  const { urls, ports } = answering(page([], null))
  await apiAt(null, ports).get('/indexes', {}, signal)
  expect(urls).toEqual(['/v1/indexes'])
})

test('a caller without tokens waits as long as it is told, and asks again', async () => {
  const { waits, ports } = answering(refusal(429, 'RATE_LIMIT_EXCEEDED', { retry_after_ms: 1234 }), page(['a'], null))
  expect((await apiAt(null, ports).get('/indexes', {}, signal)).data).toEqual(['a'])
  expect(waits).toEqual([1234])
})

test('a refusal is its sentence, its code and the id of the request', async () => {
  const { ports } = answering(refusal(404, 'INDEX_NOT_FOUND'))
  const error = await apiAt(null, ports)
    .get('/indexes/idx_x', {}, signal)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'INDEX_NOT_FOUND', message: 'why', status: 404, request_id: 'req' })
})

test.each([
  ['no answer', new TypeError('fetch failed'), 'UNREACHABLE'],
  ['an answer that is no error object', [502, 'Bad gateway'] as const, 'NO_ERROR_OBJECT'],
])('%s is said as such', async (_name, answer, code) => {
  const { ports } = answering(answer)
  await expect(apiAt(null, ports).get('/indexes', {}, signal)).rejects.toMatchObject({ code, request_id: null })
})

test('of many refused readers one waits and asks again; the others follow once it is answered', async () => {
  const waits: number[] = []
  const releases: (() => void)[] = []
  const turns = createTurns((millis) => {
    waits.push(millis)
    return new Promise((resolve) => releases.push(resolve))
  })
  let is_open = false
  const asked: string[] = []
  const reader = (name: string) =>
    turns.take(
      async () => {
        asked.push(name)
        if (!is_open) throw new TypeError('429')
        return name
      },
      () => 500,
    )
  const [a, b, c] = [reader('a'), reader('b'), reader('c')]
  await expect.poll(() => asked.length).toBe(3)
  // Refused again: still one wait and one question at a time.
  releases.shift()!()
  await expect.poll(() => waits).toEqual([500, 500])
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
  const late = reader('late')
  is_open = true
  releases.shift()!()
  expect(await Promise.all([a, b, c, late])).toEqual(['a', 'b', 'c', 'late'])
  expect(asked.slice(4, 5)).toEqual(['a'])
  expect(asked.slice(5).toSorted()).toEqual(['b', 'c', 'late'])
  expect(waits).toEqual([500, 500])
})

test('a reader that gives up lets the others go on; other errors are not waited for', async () => {
  const waits: number[] = []
  const turns = createTurns(async (millis) => void waits.push(millis))
  let refusals = 0
  const refused = turns.take(
    async () => {
      refusals += 1
      throw new TypeError('429')
    },
    () => 10,
  )
  await expect(refused).rejects.toThrow('429')
  expect([refusals, waits.length]).toEqual([6, 5])
  const failing = turns.take(
    async () => {
      throw new TypeError('404')
    },
    () => null,
  )
  await expect(failing).rejects.toThrow('404')
  expect(
    await turns.take(
      async () => 'answer',
      () => null,
    ),
  ).toBe('answer')
  expect(waits.length).toBe(5)
})

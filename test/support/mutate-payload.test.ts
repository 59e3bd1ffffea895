import { expect, test } from 'vitest'
import { mutatePayload } from './mutate-payload.ts'
import { seededRandom } from './random.ts'

test('a payload with keys that every object has gets faults, too', () => {
  const text = '{"constructor":{"toString":1},"a":{"b":[{"c":2}]},"valueOf":null}'
  const random = seededRandom(1)
  const mutated = new Set(Array.from({ length: 2_000 }, () => mutatePayload(text, random)))
  expect(mutated.size).toBeGreaterThan(300)
})

import { expect, test } from 'vitest'
import { metaText } from '../../../api/server/envelope.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'

const AT = toMicros('2026-01-01T00:00:00Z')

const published = (published_at: number, as_of: number | null) => {
  const facts = { request_id: 'req_1', published_at, as_of, max_age_ms: undefined, correction_chain: '', stale: null }
  return (JSON.parse(metaText(facts)) as { readonly published_at: string }).published_at
}

test('a response as of an instant is never published before it, also where memory is behind it', () => {
  expect(published(AT, AT + 3_800_000)).toBe(formatMicros(AT + 3_800_000))
  expect(published(AT, AT - 1)).toBe(formatMicros(AT))
  expect(published(AT, null)).toBe(formatMicros(AT))
})

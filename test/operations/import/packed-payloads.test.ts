import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryOf, packPayloads, unpackPayloads } from '../../../operations/import/packed-payloads.ts'
import { anyText } from '../../support/any-text.ts'
import { SEED } from '../../support/seed.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  anyText({ maxLength: 40 }),
  fc.constantFrom('', 'ÿ', 'Zürich', '\ud83d', '€', '{"a":"\u0000"}'),
)
const payload = fc.record({
  venue_id: fc.constantFrom('kalshi', 'polymarket'),
  endpoint: fc.constantFrom('ws ticker', 'GET /markets', 'ws'),
  request: fc.oneof(fc.constant(null), fc.constantFrom('', '/markets', 'null')),
  received_at: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  file: fc.oneof(
    text,
    fc.constantFrom('a.jsonl:1', 'a.jsonl:20', 'a:b.jsonl:3', 'a.jsonl:007', 'a.jsonl:', ':4', '12'),
  ),
  text,
})

test('payloads that were packed and sent are what they were, also with half a surrogate pair', () => {
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 20 }), (payloads) => {
      const packed = packPayloads(payloads)
      const arrived = structuredClone(packed, { transfer: memoryOf(packed) })
      expect([...unpackPayloads(arrived)]).toEqual(payloads)
    }),
    { seed: SEED },
  )
})

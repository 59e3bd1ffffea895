import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neutralForm } from '../../../connectors/archives/payloads/forms/neutral.ts'
import type { LineForm } from '../../../connectors/archives/payloads/payload-form.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { anyText } from '../../support/any-text.ts'
import { SEED } from '../../support/seed.ts'

const VENUES = ['kalshi', 'polymarket']
const read = (form: LineForm, line: string) => parseRecord(() => form.read(line, null, 'x.payloads.jsonl'))

const text = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom('', '{"type":"ticker","sid":1}', '"', '\\', '","body":"', '{"a":"\\u0000\\n"}', '\ud83d', 'Zürich €'),
)
const recorded = fc.record({
  venue_id: fc.constantFrom(...VENUES, 'nobody'),
  endpoint: fc.oneof(fc.constantFrom('ws', 'ws ticker', 'GET /markets', 'ws (a|b)+$', ' ws', ''), text),
  request: fc.constantFrom(null, '', '/markets?limit=2'),
  received_at: fc.constantFrom(
    '2026-01-05T10:00:00.000001Z',
    '2026-01-05T10:00:01.123456Z',
    '2026-01-05T10:00:01.120Z',
    '2026-01-05T10:00:01Z',
    '2026-01-05T25:00:00.000001Z',
    '2026-01-05T10:00:00.00000\\u0031Z',
    '',
  ),
  body: text,
})
const line = fc
  .tuple(recorded, fc.nat(), fc.constantFrom('', '', '', '"', '\\', ',', '}', ' ', '1'))
  .map(([fields, place, by]) => {
    const whole = JSON.stringify(fields).replace('\\\\u0031', '\\u0031')
    const at = place % (whole.length + 1)
    return whole.slice(0, at) + by + whole.slice(at)
  })

test('a line is read as it would be if no other line of its endpoint had been read before', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const form = neutralForm(VENUES)
      for (const each of lines) expect(read(form, each)).toEqual(read(neutralForm(VENUES), each))
    }),
    { seed: SEED, numRuns: 2000 },
  )
})

test('what follows a body is not taken for a part of it', () => {
  const form = neutralForm(VENUES)
  const first = `{"venue_id":"kalshi","endpoint":"ws","request":null,"received_at":"2026-01-05T10:00:00.000001Z","body":"a"}`
  expect(read(form, first)).toMatchObject({ record: { endpoint: 'ws', text: 'a' } })
  expect(read(form, first.replace('"a"', '"b","endpoint":"ws ticker"'))).toMatchObject({
    record: { endpoint: 'ws ticker', text: 'b' },
  })
  expect(read(form, first.replace('"a"', '"b" "c"'))).toEqual({ reason: 'BAD_JSON' })
  expect(read(form, first.slice(0, -1))).toMatchObject({ reason: 'BAD_JSON' })
  expect(read(form, `${first.slice(0, -1)}]`)).toEqual({ reason: 'BAD_JSON' })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordBuffer } from '../../../operations/import/record-buffer.ts'
import { minuteStamps } from '../../../pipelines/venues/minute-stamps.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import { SEED } from '../../support/seed.ts'

const SECOND = 1_000_000
const payloadAt = (received_at: number) => ({ received_at }) as VenuePayload

test('property: what is kept of the payloads gives the stamps that all of them give', () => {
  const instants = fc.array(fc.integer({ min: 0, max: 300 * SECOND }), { maxLength: 30 })
  fc.assert(
    fc.property(instants, fc.integer({ min: 0, max: 300 * SECOND }), (received, after) => {
      const buffer = new RecordBuffer(10)
      for (const at of received) buffer.add({}, payloadAt(at))
      const all = received.map((received_at) => ({ received_at }))
      expect(minuteStamps([buffer.take().content.payloads], after)).toEqual(minuteStamps([all], after))
    }),
    { seed: SEED },
  )
})

test('payloads of one instant stay together, also where one of a later instant came before', () => {
  const buffer = new RecordBuffer(0)
  buffer.add({}, payloadAt(2 * SECOND))
  buffer.add({}, payloadAt(SECOND))
  expect([SECOND, 2 * SECOND].map((at) => buffer.isFullBefore(payloadAt(at)))).toEqual([false, true])
  buffer.take()
  expect(buffer.isFullBefore(payloadAt(SECOND))).toBe(true)
})

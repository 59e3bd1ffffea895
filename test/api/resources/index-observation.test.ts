import { expect, test } from 'vitest'
import { indexObservationWithInputs } from '../../../api/resources/index-observation.ts'

test('an input has each of its reasons once, in the order of the record, whose legs may repeat one', () => {
  const reason_codes = ['FROZEN', 'VENUE_DISPERSION', 'FROZEN']
  const published_at = '2026-01-01T00:00:00.000000Z'
  const row = {
    published_at,
    coverage_ratio: '1',
    quality_state: 'valid',
    inputs: [{ constituent_id: 'con_1', reason_codes, legs: [] }],
  }
  const { inputs } = indexObservationWithInputs(row) as unknown as { inputs: { reason_codes: string[] }[] }
  expect(inputs[0]!.reason_codes).toEqual(['FROZEN', 'VENUE_DISPERSION'])
})

import { expect, test } from 'vitest'
import { settingsOf } from '../../../tools/reliability/schema/run-schema.ts'
import { casesOf } from '../../../tools/reliability/schema/schemathesis.ts'

test('the number of requests is read from the summary of Schemathesis', () => {
  expect(casesOf('Test cases:\n  3537 generated, 3537 passed\n')).toBe(3537)
  expect(casesOf('Test cases:\n  12,345 generated, 2 found 2 unique failures\n')).toBe(12_345)
  expect(casesOf('error: no schema')).toBe(0)
})

test('the settings name the best known records, a few of each kind', () => {
  const settings = settingsOf({
    index: [{ index_id: ['idx_a'], version_id: ['1', '2', '3', '4'] }],
    market: [{ market_id: ['mkt_bare'] }, { market_id: ['mkt_a'], outcome_id: ['out_a'] }],
    event: [{ event_id: ['evt_a'] }],
    severity_index: [{ severity_index_id: ['svi_a'], version: ['1'] }],
    methodology: [{ methodology_id: ['mth_a'], version: ['1.0.0'] }],
  })
  expect(settings).toContain('[dictionaries.market_id]\nvalues = ["mkt_a"]\n')
  expect(settings).toContain('[dictionaries.version_id]\nvalues = ["1","2","3"]\n')
  expect(settings).toContain('[dictionaries.version]\nvalues = ["1","1.0.0"]\n')
  expect(settings).toContain('"path.market_id" = { dictionary = "market_id", probability = 0.7 }\n')
})

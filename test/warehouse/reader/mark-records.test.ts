import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMPUTED_MARK_RULES } from '../../../pipelines/market/mark-derivation.ts'

test('histories and the price view mark the same rules as derived', () => {
  const file = new URL('../../../warehouse/reader/history/sql/records_of_market_mark.sql', import.meta.url)
  const lists = [...readFileSync(file, 'utf8').matchAll(/ in \(([^)]*)\)/g)].map(([, list]) => list)
  expect(lists.length).toBeGreaterThan(1)
  for (const list of lists) expect(list!.split(', ')).toEqual(COMPUTED_MARK_RULES.map((rule) => `'${rule}'`))
})

import { expect, test } from 'vitest'
import { refuseDraft } from '../../../operations/index/check-new-versions.ts'
import { inspectDefinition } from '../../../pipelines/index/parse-definition.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { definitionFile } from '../../support/index-world.ts'

/** Markets of every venue; nothing is known of their outcomes. */
const MARKETS = Array.from({ length: 21 }, (_, n) => `KXMARKET-${n}`).concat('RAIN-NYC', 'RAIN-LA')

const session = {
  query: async (_sql: string, { venue_ids }: { venue_ids?: string[] } = {}) =>
    (venue_ids === undefined ? [] : MARKETS).map((source_market_id) => ({ source_market_id })),
} as unknown as ReadSession

const FILE = definitionFile([
  { constituent_id: 'con_a', target_weight: '0.6', venue_id: 'polymarkt' },
  { constituent_id: 'con_b', target_weight: '0.5', venue_id: 'kalshi', source_market_id: 'RAIN-SF', pool_weight: '2' },
])

async function mistakesOf(published: readonly string[]): Promise<readonly string[]> {
  const inspected = inspectDefinition(JSON.stringify(FILE, null, 1), 'demo.yaml')
  if (inspected.definition !== null) throw new Error('was accepted')
  const refused = await refuseDraft(inspected.draft, new Set(published), session, 'refused').catch((error) => error)
  return String((refused as Error).message)
    .split('\n')
    .map((line) => line.trim().replace(/^demo\.yaml:\d+: /, ''))
}

test('mistakes of rules, fields without an effect, venues and markets are listed in one round', async () => {
  const mistakes = await mistakesOf([])
  expect(mistakes).toEqual([
    'demo.yaml has 4 mistakes:',
    expect.stringMatching(/^versions\[1\]\.constituents target_weight is "1\.1"/),
    expect.stringMatching(/^venue_id of constituent con_a in version 1 is "polymarkt" \(did you mean polymarket\?\)/),
    expect.stringMatching(/^source_market_id of constituent con_b in version 1 is "RAIN-SF"/),
    expect.stringMatching(/^versions\[1\]\.constituents\[1\]\.pool_weight is "2"/),
  ])
})

test('of many markets, those that begin like the unknown one are named', async () => {
  const [, , , market] = await mistakesOf([])
  expect(market).toContain('one of 23 markets of kalshi, such as RAIN-NYC, RAIN-LA, KXMARKET-0, or any with')
})

test('legs of a published version are not checked again', async () => {
  expect(await mistakesOf(['1'])).toEqual([
    expect.stringMatching(/^versions\[1\]\.constituents target_weight is "1\.1"/),
  ])
})

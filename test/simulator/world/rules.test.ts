import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseClarityRubric, rulesText, scoreRules } from '../../../pipelines/rating/clarity-rubric.ts'
import { MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import type { WorldOptions } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'

const OPTIONS: WorldOptions = {
  seed: 'tide',
  start: toMicros('2026-03-01T00:00:00Z'),
  days: 7,
  markets: 9,
  interval: 60 * MICROS_PER_SECOND,
}
const file = new URL('../../../datasets/rating/clarity-rubric-1.yaml', import.meta.url)
const rubric = parseClarityRubric(readFileSync(file, 'utf8'), 'rubric')
const points = (criteria: string) => {
  const rules = {
    ...{ resolution_question: null, resolution_criteria: criteria, resolution_sources: [] },
    ...{ dispute_policy_uri: null, timezone: null },
  }
  return scoreRules(rulesText(rules)!, rubric).map((item) => Number(item.points))
}

test('full rules: of three events one says all that the rubric asks for, one its criterion, source and deadline, one little', () => {
  const { markets } = planWorld({ ...OPTIONS, rules: 'full' })
  const of_event = (event: number) => markets.find((market) => market.event === event)!.rules
  const texts = [0, 1].map((event) => `${of_event(event)!.primary}\n\n${of_event(event)!.secondary}`)
  expect(texts.map(points)).toEqual([
    [30, 20, 10, 10, 15, 10],
    [30, 20, 0, 10, 0, 0],
  ])
  expect(of_event(2)).toBeNull()
  for (const { rules } of markets) if (rules !== null) expect(rules.primary).toContain('Simulated Bureau of Records')
})

test('rules change no world: without them the same markets have the short text', () => {
  const [short, full] = [planWorld(OPTIONS), planWorld({ ...OPTIONS, rules: 'full' })]
  const bare = (plan: typeof short) => plan.markets.map(({ rules: _, ...market }) => market)
  expect(bare(full)).toEqual(bare(short))
  expect(short.markets.every(({ rules }) => rules === null)).toBe(true)
  expect(short.shocks).toEqual(full.shocks)
})

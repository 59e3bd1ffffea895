import { expect, test } from 'vitest'
import { admissionOf } from '../../../pipelines/index/admit.ts'
import { comparedSeries } from '../../../pipelines/index/compare-engines.ts'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { type ExactStep, exactSeries } from '../../../pipelines/index/exact/exact-series.ts'
import { indexSeries } from '../../../pipelines/index/series.ts'
import { definitionFile, legData, legsByKey, MINUTE, NOW, specOf } from '../../support/index-world.ts'

/** Two ticks with a quote of their own, then three without: stale from the third on (stale_after PT1M). */
const QUOTES = [
  { source_at: NOW, reported_probability: '0.4' },
  { source_at: NOW + MINUTE, reported_probability: '0.5' },
]
const spec = specOf(
  decodeDefinition(
    definitionFile([{ constituent_id: 'con_a', target_weight: '1' }], {
      parameters: {
        mode: 'gauge',
        'fresh.stale_after': 'PT1M',
        'fresh.max_carry': 'PT1H',
        'quality.min_confidence': '0',
      },
    }),
  ),
)
const data = new Map([...legsByKey(spec).keys()].map((key) => [key, legData(QUOTES)] as const))
const options = { to: NOW + 5 * MINUTE }

const steps = (exact: Iterator<ExactStep>) => [...comparedSeries(indexSeries(spec, admissionOf(data), options), exact)]
const exact = () => exactSeries(spec, (leg) => data.get(leg.key)!, options)

/** A tick with some facts exchanged; the others are still made when read. */
function changed(result: ExactStep['result'], change: Record<string, unknown>): ExactStep['result'] {
  const properties = Object.entries(change).map(([name, value]) => [name, { value }])
  return Object.create(result, Object.fromEntries(properties))
}

/** The exact engine with one fact of one tick exchanged. */
function* broken(tick: number, change: Record<string, unknown>): Generator<ExactStep> {
  let i = 0
  for (const step of exact()) {
    const result = i === tick ? changed(step.result, change) : step.result
    i += 1
    yield { ...step, result }
  }
}

test('two engines that agree: every tick is the reference’s', () => {
  expect(steps(exact()).map(({ result }) => [result.level, result.quality_state])).toEqual([
    ['40.0000', 'valid'],
    ['50.0000', 'valid'],
    ['50.0000', 'valid'],
    ['50.0000', 'stale'],
    ['50.0000', 'stale'],
  ])
})

test.each([
  ['level', '50.0001'],
  ['confidence', '0.0000'],
  ['coverage_ratio', '0.999999'],
  ['quality_state', 'indicative'],
  ['input_observation_ids', []],
])('a mismatch of %s suspends the tick and names the fact', (fact, value) => {
  const { result } = steps(broken(1, { [fact]: value }))[1]!
  expect(result).toMatchObject({ quality_state: 'suspended', level: null, source_cutoff_at: NOW + MINUTE })
  expect(result.reason_codes).toEqual([`ENGINE_MISMATCH:${fact}`])
})

test('a level that was never published is not carried into a stale tick', () => {
  function* twice(): Generator<ExactStep> {
    let i = 0
    for (const step of exact()) {
      const wrong = i === 1 || i === 2
      i += 1
      yield wrong ? { ...step, result: changed(step.result, { level: '1.0000' }) } : step
    }
  }
  const stale = steps(twice())[3]!.result
  expect(stale).toMatchObject({ quality_state: 'stale', level: '40.0000', source_cutoff_at: NOW })
})

test('an engine with fewer ticks is a bug, not an answer', () => {
  expect(() => steps(exact().return(undefined) && [][Symbol.iterator]())).toThrow('fewer ticks')
})

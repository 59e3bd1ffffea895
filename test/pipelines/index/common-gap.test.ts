import { describe, expect, test } from 'vitest'
import { definitionFile, HOUR, legData, MINUTE, NOW, type QuoteText, series } from '../../support/index-world.ts'

/** A recorder that fails leaves the same hole in every market at once (P3): one hour of an index that ticks every minute. */
const NAMES = ['con_a', 'con_b', 'con_c', 'con_d']
const PRICES = ['0.2', '0.4', '0.6', '0.8']
const GAP = { from: NOW + HOUR, to: NOW + 2 * HOUR }
const STALE_AFTER = 10 * MINUTE

const definition = definitionFile(
  NAMES.map((constituent_id) => ({ constituent_id, target_weight: '0.25' })),
  {
    parameters: {
      'admission.grace': 'PT0S',
      'fresh.stale_after': 'PT10M',
      'fresh.max_carry': 'PT4H',
      'outlier.enabled': 'false',
      'quality.min_confidence': '0',
    },
  },
)

/** A quote a minute, of one price; the silent ones have none in the hole. */
function quotes(price: string, is_silent: boolean): QuoteText[] {
  const minutes = Array.from({ length: 180 }, (_, minute) => NOW + minute * MINUTE)
  const shown = minutes.filter((at) => !(is_silent && at >= GAP.from && at < GAP.to))
  return shown.map((source_at) => ({ reported_probability: price, source_at }))
}

function ticks(silent: readonly string[]) {
  const records = NAMES.map((name, i) => [name, legData(quotes(PRICES[i]!, silent.includes(name)))] as const)
  const steps = series(definition, Object.fromEntries(records), { to: NOW + 3 * HOUR })
  return new Map(steps.map(({ result }) => [result.tick_at, result]))
}

describe('a hole in all constituents at the same moment', () => {
  const all = ticks(NAMES)
  const last_fresh_at = GAP.from - MINUTE + STALE_AFTER

  test('carries prices until they are stale, then the index is stale and coverage says 0', () => {
    expect(all.get(last_fresh_at)).toMatchObject({ quality_state: 'valid', coverage_ratio: '1.000000' })
    expect(all.get(last_fresh_at + MINUTE)).toMatchObject({ quality_state: 'stale', coverage_ratio: '0.000000' })
    expect(all.get(GAP.to - MINUTE)).toMatchObject({ quality_state: 'stale', coverage_ratio: '0.000000' })
  })

  test('no carried level has a new source time', () => {
    const during = [...all.values()].filter(({ tick_at }) => tick_at > last_fresh_at && tick_at < GAP.to)
    expect(during).toHaveLength(50)
    expect(new Set(during.map(({ source_cutoff_at }) => source_cutoff_at))).toEqual(new Set([last_fresh_at]))
    expect(new Set(during.map(({ level }) => level))).toEqual(new Set(['50.0000']))
  })

  test('ends with the first quote after it', () => {
    expect(all.get(GAP.to)).toMatchObject({ quality_state: 'valid', coverage_ratio: '1.000000', level: '50.0000' })
  })
})

test('a hole in three of four is no common one: the index is degraded, and the one that trades still moves it', () => {
  const some = ticks(NAMES.slice(1))
  expect(some.get(GAP.to - MINUTE)).toMatchObject({
    quality_state: 'degraded',
    coverage_ratio: '0.250000',
    source_cutoff_at: GAP.to - MINUTE,
  })
})

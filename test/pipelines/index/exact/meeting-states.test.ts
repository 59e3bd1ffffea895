import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LegData, QUOTE_NUMBERS, type QuoteColumns } from '../../../../pipelines/index/admission.ts'
import type { ExactMemory } from '../../../../pipelines/index/exact/chain.ts'
import { exactSeries } from '../../../../pipelines/index/exact/exact-series.ts'
import { type ColdStart, coldStart, MeetingStates } from '../../../../pipelines/index/exact/meeting-states.ts'
import type { IndexSpec } from '../../../../pipelines/index/version.ts'
import { isServiceError } from '../../../../primitives/errors.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { denseLegData, MINUTE, START } from './support/random-data.ts'
import { LEG_NAMES, randomPlainSpec, randomSpec } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'
import { type Legs, stepText } from './support/step-texts.ts'

const TO = START + 55 * MINUTE
const cut = fc.integer({ min: 8, max: 45 }).map((minute) => START + minute * MINUTE)
/** Worlds of busy markets, whose states meet more often. */
const busyWorld = fc
  .tuple(...LEG_NAMES.map((name) => denseLegData(name, 55)))
  .map((legs): Legs => new Map(legs.map((leg, i) => [LEG_NAMES[i]!, leg])))
/** Ticks and carry times of minutes, so that parts can begin late; no fixings. */
const spec = fc.oneof(randomSpec, randomPlainSpec).map(withShortCarry)

test('parts whose states meet give the ticks of one series, over random versions, outliers and late records', () => {
  const seen = { met: 0, differed: 0 }
  fc.assert(
    fc.property(spec, fc.oneof(randomWorld, busyWorld), cut, (index, legs, at) => {
      const cold = coldStart(index, { from: at, to: TO })
      const all = seriesOr(() => part(index, legs, { from: START, to: TO }, null))
      if (cold === null || all === null) return
      const before = part(index, legs, { from: START, to: at }, null)
      const memory = memoryOf(before.steps, cold.tick_at)
      if (memory === null) return
      const { tick_at, version } = cold
      const beginning = { ...memory, tick_at, index_version_id: version.index_version_id }
      const bounded = withinBounds(legs, cold)
      const after = seriesOr(() => part(index, bounded, { from: at, to: TO }, beginning))
      if (after?.start !== before.end) {
        seen.differed += 1
        return
      }
      seen.met += 1
      expect([...before.texts, ...after.texts]).toEqual(all.texts)
      expect(after.end).toBe(all.end)
    }),
    { numRuns: sized(60, 1_000), seed: SEED, endOnFailure: true },
  )
  expect(seen.met).toBeGreaterThan(5)
  expect(seen.differed).toBeGreaterThan(5)
}, 400_000)

type Range = { readonly from: Micros; readonly to: Micros }

function part(index: IndexSpec, legs: Legs, range: Range, resume: ExactMemory | null) {
  const meeting = new MeetingStates(range)
  const texts: string[] = []
  const steps: { readonly tick_at: Micros; readonly memory: ExactMemory }[] = []
  for (const step of exactSeries(index, (leg) => legs.get(leg.key)!, { to: range.to }, resume)) {
    meeting.note(step)
    steps.push({ tick_at: step.result.tick_at, memory: step.memory() })
    if (step.result.tick_at >= range.from) texts.push(stepText(step.result, step.links))
  }
  return { texts, steps, start: meeting.start, end: meeting.end }
}

/** null: an input that a series refuses, such as a hazard roll of a price of 1, or a link of marks before its beginning. */
function seriesOr<T>(series: () => T): T | null {
  try {
    return series()
  } catch (error) {
    if (!isServiceError(error)) throw error
    return null
  }
}

/** Link factors alone, as they are at an instant; null: not fixed yet. */
function memoryOf(steps: ReturnType<typeof part>['steps'], at: Micros): Omit<ExactMemory, 'tick_at'> | null {
  const memory = steps.findLast(({ tick_at }) => tick_at <= at)?.memory
  if (memory === undefined || memory.k === null) return null
  return { ...memory, last_level: null, legs: new Map(), pools: new Map() }
}

/** The legs with the quotes that quotes_of_markets.sql gives after a cold start. */
function withinBounds(legs: Legs, { tick_at, whole_market_ids }: ColdStart): Legs {
  const bounded = (columns: QuoteColumns): QuoteColumns => {
    const known_at = columns.known_at ?? columns.received_at
    const rows = [...columns.source_at.keys()].filter((row) => {
      const source_at = columns.source_at[row]!
      return source_at < TO && (source_at > tick_at || known_at[row]! > tick_at)
    })
    const numbers = QUOTE_NUMBERS.flatMap((field) => {
      const column = columns[field]
      return column === undefined ? [] : [[field, Float64Array.from(rows, (row) => column[row]!)]]
    })
    return {
      ...columns,
      length: rows.length,
      recordId: (row) => columns.recordId(rows[row]!),
      revision: Int32Array.from(rows, (row) => columns.revision[row]!),
      ...Object.fromEntries(numbers),
    }
  }
  const leg = (data: LegData): LegData => ({
    ...data,
    quotes: bounded(data.quotes),
    other: data.other === null ? null : bounded(data.other),
  })
  return new Map([...legs].map(([name, data]) => [name, whole_market_ids.includes(`mkt_${name}`) ? data : leg(data)]))
}

/** The same with ticks and carry times of minutes in every version, and without fixings. */
function withShortCarry(index: IndexSpec): IndexSpec {
  const versions = index.versions.map((version) => {
    const { parameters } = version.methodology
    const max_carry = Math.min(parameters.max_carry, 5 * MINUTE)
    const stale_after = Math.min(parameters.stale_after, max_carry)
    const methodology = { ...version.methodology, parameters: { ...parameters, max_carry, stale_after } }
    return { ...version, frequency: MINUTE, fixing: null, methodology }
  })
  return { ...index, versions }
}

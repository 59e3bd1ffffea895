/**
 * Measures the impact of a change over a year of minutes with 50 constituents: two weights and one parameter differ, so four replays
 * follow, and every tick is compared, printed and hashed. Beside it, the same replays alone, in a bare loop. In CPU seconds of one
 * process, the rounds taking turns. First checks equality: the same bytes from every round, and from both engines over the first
 * hours, where each minute has a new book, and over books that a quarter of an hour stand. The rate of the decimal reference says how
 * long a year of it takes. Its limit beside it: the additions of 34-digit decimals alone that the sums of as many ticks need.
 * Goals: a year under 20 s; the comparison costs no more than four times the replays.
 */

import { replaysBy } from '../operations/governance/impact/replay-columns.ts'
import { calculateImpact, type ImpactInput } from '../pipelines/governance/impact/calculate-impact.ts'
import { followedBy, ruledBy } from '../pipelines/governance/impact/side-specs.ts'
import { singleChanges } from '../pipelines/governance/impact/single-changes.ts'
import type { QuoteColumns } from '../pipelines/index/admission.ts'
import { decodeParameters, type ParameterTexts } from '../pipelines/index/parameters.ts'
import type { IndexVersion } from '../pipelines/index/version.ts'
import { canonicalJson } from '../primitives/canonical-json.ts'
import { ONE, sumDecimals } from '../primitives/decimal.ts'
import { invariant } from '../primitives/errors.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import { type ReplayWorld, replayWorld } from './support/replay-world.ts'
import { median, rounded } from './support/rounds.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const LEGS = 50
const YEAR_DAYS = 365
const ROUNDS = 3
const DAY = 24 * 60 * MINUTE
/** Base, proposed version, and each of the two changes alone. */
const REPLAYS = 4
/** Ticks that both engines compare. */
const COMPARED_TICKS = 6 * 60

export async function run({ days = YEAR_DAYS }: BenchOptions): Promise<BenchRow[]> {
  const world = replayWorld(LEGS, days * 24 * 60)
  const reference_s = checkEngines(world)
  const quiet_s = checkEngines(quietWorld())
  const ticks = REPLAYS * (COMPARED_TICKS + DAY / MINUTE)
  const additions_s = additionsAlone(world, ticks)
  const year_s = (seconds: number) => rounded((seconds * REPLAYS * YEAR_DAYS * (DAY / MINUTE)) / ticks)
  const input = inputOf(world, YEAR_START + days * DAY)
  const seconds: { impact: number[]; replays: number[] } = { impact: [], replays: [] }
  const texts = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    seconds.replays.push(cpuSeconds(() => replaysAlone(input)))
    seconds.impact.push(cpuSeconds(() => texts.add(textOf(input))))
  }
  invariant(texts.size === 1, 'every round gives the same bytes')
  const year = median(seconds.impact)
  const details = { days, impact: seconds.impact.map(rounded), replays: seconds.replays.map(rounded) }
  return [
    {
      figure: 'impact.year_cpu_s',
      value: rounded(year),
      unit: 's',
      goal: days < YEAR_DAYS ? null : { at_most: 20 },
      details,
    },
    {
      figure: 'impact.over_replays',
      value: rounded(median(seconds.impact.map((taken, i) => taken / seconds.replays[i]!))),
      unit: 'x',
      goal: { at_most: 4 },
      details,
    },
    {
      figure: 'impact.reference_ticks_per_s',
      value: Math.round(ticks / reference_s),
      unit: 'ticks/s',
      goal: null,
      details: { ticks: COMPARED_TICKS, ticks_of_warm_up: DAY / MINUTE, replays: REPLAYS, year_s: year_s(reference_s) },
    },
    {
      figure: 'impact.reference_quiet_ticks_per_s',
      value: Math.round(ticks / quiet_s),
      unit: 'ticks/s',
      goal: null,
      details: { minutes_a_book: QUIET_MINUTES, year_s: year_s(quiet_s) },
    },
    {
      figure: 'impact.reference_additions_ticks_per_s',
      value: Math.round(ticks / additions_s),
      unit: 'ticks/s',
      goal: null,
      details: { additions_a_tick: SUMS * LEGS, year_s: year_s(additions_s) },
    },
  ]
}

/** Minutes that a book stands in the quiet world. */
const QUIET_MINUTES = 15

/** The hours that both engines compare, with a new book of each market only every quarter of an hour. */
function quietWorld(): ReplayWorld {
  const world = replayWorld(LEGS, COMPARED_TICKS)
  const data = new Map([...world.data].map(([key, leg]) => [key, { ...leg, quotes: everyNth(leg.quotes) }]))
  return { ...world, data }
}

function everyNth(quotes: QuoteColumns): QuoteColumns {
  const rows = Array.from({ length: Math.floor(quotes.length / QUIET_MINUTES) }, (_, i) => i * QUIET_MINUTES)
  const of = (column: Float64Array | undefined) => Float64Array.from(rows, (row) => column![row]!)
  return {
    length: rows.length,
    recordId: (row) => quotes.recordId(row * QUIET_MINUTES),
    source_at: of(quotes.source_at),
    received_at: of(quotes.received_at),
    revision: new Int32Array(rows.length).fill(1),
    bid: of(quotes.bid),
    ask: of(quotes.ask),
  }
}

/** Sums of a tick over its constituents (methodology index-2 §9): all weight, used weight, covered weight, w x, and w c. */
const SUMS = 5

/** Returns the CPU seconds of the additions alone that the sums of some ticks need, with the decimals of the reference. */
function additionsAlone({ spec }: ReplayWorld, ticks: number): number {
  const weights = spec.versions[0]!.constituents.map(({ target_weight }) => target_weight)
  return cpuSeconds(() => {
    for (let tick = 0; tick < ticks; tick++)
      for (let sum = 0; sum < SUMS; sum++) invariant(sumDecimals(weights).eq(ONE), 'weights sum to 1')
  })
}

/** Two weights moved by a tenth of a percent, and another limit of the outlier filter. */
function changed(base: IndexVersion): IndexVersion {
  const texts = { ...base.methodology.texts, 'outlier.k': '6' } as ParameterTexts
  const [first, second] = base.constituents.map(({ target_weight }) => target_weight)
  const step = second!.times('0.1').toDecimalPlaces(10)
  const weights = [first!.plus(step), second!.minus(step)]
  return {
    ...base,
    version: '2',
    methodology: { ...base.methodology, texts, parameters: decodeParameters(texts) },
    constituents: base.constituents.map((one, i) => ({ ...one, target_weight: weights[i] ?? one.target_weight })),
  }
}

function inputOf({ spec, data }: ReplayWorld, to: number, engine: 'exact' | 'reference' = 'exact'): ImpactInput {
  const base = spec.versions[0]!
  return {
    index: spec,
    base,
    next: changed(base),
    window: { from: YEAR_START, to },
    is_full_window: true,
    ...replaysBy(engine, { data, published_links: new Map() }),
    resolutionsOf: () => [],
    lines: () => undefined,
  }
}

function textOf(input: ImpactInput): string {
  return canonicalJson(calculateImpact(input))
}

/** Returns the CPU seconds of the reference. */
function checkEngines(world: ReplayWorld): number {
  const to = YEAR_START + COMPARED_TICKS * MINUTE
  const exact = textOf(inputOf(world, to, 'exact'))
  let reference = ''
  const seconds = cpuSeconds(() => {
    reference = textOf(inputOf(world, to, 'reference'))
  })
  invariant(exact === reference, 'both engines give the same bytes')
  return seconds
}

/** The replays of an impact, and nothing else. */
function replaysAlone({ index, base, next, window, replay }: ImpactInput): void {
  const before = ruledBy(index, base!, window.from - DAY)
  const versions = [next, ...singleChanges(base!, next).map(({ version }) => version!)]
  for (const spec of [before, ...versions.map((version) => followedBy(before, version, window.from))])
    invariant(replay(spec, window.to).length > 0, 'a replay has ticks')
}

function cpuSeconds(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e6
}

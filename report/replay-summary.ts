import { createHash } from 'node:crypto'
import type { PublishedLevel } from '../operations/replay/published-levels.ts'
import { type ReplayLine, withoutReasons } from '../operations/replay/replay-index.ts'
import type { ReplaySubject, ReplayTick, ReportedReplay } from '../operations/replay/reported-replay.ts'
import type { ExcludedInput } from '../pipelines/index/evaluate-constituent.ts'
import { type Instant, type Micros, toMicros } from '../primitives/instants.ts'
import { compareDecimals } from './compare-decimals.ts'
import { PublishedComparator, type PublishedComparison } from './published-comparison.ts'
import { type ReasonRow, ReasonTally } from './reason-tally.ts'
import { extendRuns, type StateRun } from './state-runs.ts'
import { Thinner } from './thinner.ts'
import type { TimeDomain } from './time-axis.ts'

/** A tick that is drawn and listed. */
export type KeptTick = ReplayTick & {
  readonly at: Micros
  /** End of the tick: one interval of its version later. */
  readonly until: Micros
  /** The official level where it is another than the line's. */
  readonly other: PublishedLevel | null
}

export type HeldInput = ExcludedInput & { readonly tick_at: Instant }

/** Facts that a report shows of a replay of any length. */
export type ReplaySummary = {
  readonly domain: TimeDomain
  readonly count: number
  /** Ticks with a level. */
  readonly with_level: number
  /** Ticks with a level of their own, and the extremes among them. */
  readonly first: KeptTick | null
  readonly last: KeptTick | null
  readonly lowest: KeptTick | null
  readonly highest: KeptTick | null
  /** Every tick, or of a long replay those that keep its extremes. */
  readonly ticks: readonly KeptTick[]
  readonly thinned: boolean
  readonly states: readonly StateRun[]
  readonly missing: ReadonlyMap<string, number>
  /** The first inputs that were held back, and how many there were. */
  readonly held: readonly HeldInput[]
  readonly held_count: number
  readonly reasons: readonly ReasonRow[]
  readonly comparison: PublishedComparison
  /** SHA-256 of the lines as `--json` prints them, in hex. */
  readonly digest: string
}

const HELD_MAX = 200

/** Collects the facts of a replay tick by tick. */
export class ReplaySummarizer {
  readonly #frequencies: ReadonlyMap<string, Micros>
  readonly #range: TimeDomain
  readonly #comparator: PublishedComparator
  readonly #digest: LinesDigest = linesDigest()
  readonly #thinner = new Thinner<KeptTick>([
    { of: ({ line }) => line.level, keep: 'both', gaps: true },
    { of: ({ line }) => line.coverage_ratio, keep: 'lowest', gaps: false },
    { of: ({ line }) => line.confidence, keep: 'lowest', gaps: false },
    { of: ({ other }) => other?.level ?? null, keep: 'both', gaps: false },
  ])
  readonly #states: StateRun[] = []
  readonly #missing = new Map<string, number>()
  readonly #held: HeldInput[] = []
  #held_count = 0
  readonly #reasons = new ReasonTally()
  #count = 0
  #with_level = 0
  #bounds: { first: KeptTick; last: KeptTick; lowest: KeptTick; highest: KeptTick } | null = null
  #domain: TimeDomain | null = null

  constructor({ subject, published, revisions }: Pick<ReportedReplay, 'subject' | 'published' | 'revisions'>) {
    this.#frequencies = new Map(subject.versions.map(({ version, frequency }) => [version, frequency]))
    this.#range = rangeOf(subject)
    this.#comparator = new PublishedComparator(published, revisions)
  }

  add(tick: ReplayTick): void {
    const { line } = tick
    const at = toMicros(line.tick_at)
    const until = at + this.#frequencies.get(line.index_version)!
    const kept = { ...tick, at, until, other: this.#comparator.add(line) }
    this.#count += 1
    if (line.level !== null) this.#with_level += 1
    this.#domain = { from: this.#domain?.from ?? at, to: until }
    this.#digest.add(line)
    this.#thinner.add(kept)
    extendRuns(this.#states, { state: line.quality_state, at, to: until })
    this.#noteInputs(line)
    if (isPriced(line)) this.#noteBounds(kept)
  }

  result(): ReplaySummary {
    const { first = null, last = null, lowest = null, highest = null } = this.#bounds ?? {}
    const ticks = this.#thinner.items()
    return {
      domain: this.#domain ?? this.#range,
      ...{ first, last, lowest, highest, ticks },
      count: this.#count,
      with_level: this.#with_level,
      states: this.#states,
      missing: this.#missing,
      held: this.#held,
      held_count: this.#held_count,
      reasons: this.#reasons.rows(),
      thinned: this.#thinner.thinned,
      comparison: this.#comparator.result(),
      digest: this.#digest.hex(),
    }
  }

  #noteInputs(line: ReplayLine): void {
    for (const id of line.missing_constituent_ids) this.#missing.set(id, (this.#missing.get(id) ?? 0) + 1)
    for (const reason of line.input_reasons) this.#reasons.add(line.tick_at, reason)
    this.#held_count += line.excluded_inputs.length
    for (const input of line.excluded_inputs)
      if (this.#held.length < HELD_MAX) this.#held.push({ ...input, tick_at: line.tick_at })
  }

  #noteBounds(tick: KeptTick): void {
    const { first = tick, lowest = tick, highest = tick } = this.#bounds ?? {}
    this.#bounds = {
      first,
      last: tick,
      lowest: compareDecimals(tick.line.level!, lowest.line.level!) < 0 ? tick : lowest,
      highest: compareDecimals(tick.line.level!, highest.line.level!) > 0 ? tick : highest,
    }
  }
}

/** A level computed at the tick itself: not suspended, and not carried into a stale tick. */
export function isPriced(line: ReplayLine): boolean {
  return line.level !== null && line.source_cutoff_at === line.tick_at
}

function rangeOf({ from, to }: ReplaySubject): TimeDomain {
  return { from: toMicros(from), to: toMicros(to) }
}

/** Takes lines and gives the SHA-256 of the NDJSON that `tidemark index replay --json` prints for them. */
export type LinesDigest = { add(line: ReplayLine): void; hex(): string }

/** A digest of no lines yet. A line's keys are printed in the order of the line. */
function linesDigest(): LinesDigest {
  const hash = createHash('sha256')
  return {
    add: (line) => {
      hash.update(`${JSON.stringify(withoutReasons(line))}\n`)
    },
    hex: () => hash.digest('hex'),
  }
}

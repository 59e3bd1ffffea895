import { legsOf } from '../../pipelines/index/admit.ts'
import { isPriced } from '../../pipelines/index/compare-engines.ts'
import { LegSources } from '../../pipelines/index/exact/leg-sources.ts'
import type { WindowNeeds } from '../../pipelines/index/quote-window.ts'
import { SharedAdmission } from '../../pipelines/index/shared-admission.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type CountingParameters, countedFrom, countingParameters, type KnownAtTick } from './counting.ts'
import { LegFacts } from './leg-facts.ts'
import { quoteTable } from './leg-records.ts'
import type { PublishedIndex } from './load-index.ts'
import type { OfficialStep } from './official-steps.ts'
import { type KnownTick, type LevelPlan, type PlannedLevels, planLevels } from './plan-levels.ts'
import { QuoteWindows } from './quote-windows.ts'
import { type SeriesMemory, seriesStretch } from './series-run.ts'

export type PricedTick = { readonly tick_at: Micros; readonly calculated_at: Micros }

/** The series of one index as far as one tick: what its next stretch needs. */
export type CourseState = {
  readonly known_at_tick: KnownAtTick
  readonly memory: SeriesMemory | null
  /** Exclusive end of the ticks done. */
  readonly done_to: Micros
  /** The last tick with a level of its own: a stale tick shows when that was calculated. */
  readonly priced: PricedTick | null
  readonly windows: QuoteWindows
  /** Every instant known to freeze a leg, by leg. */
  readonly instants: ReadonlyMap<string, readonly Micros[]>
}

/** A series before its first tick. */
export function newCourse({ spec }: PublishedIndex, known_at_tick: KnownAtTick): CourseState {
  const nothing = { memory: null, priced: null, windows: new QuoteWindows(), instants: new Map() }
  return { ...nothing, known_at_tick, done_to: spec.base_date }
}

/**
 * One index computed stretch by stretch: each reads the quotes that its ticks are the first to see, and what it leaves is all
 * that the next one needs, so memory does not grow with the range.
 */
export class IndexCourse {
  readonly index: PublishedIndex
  readonly #session: ReadSession
  readonly #links: ReadonlyMap<string, Decimal>
  readonly #facts: LegFacts
  readonly #counting: CountingParameters
  readonly #needs: WindowNeeds
  #state: CourseState
  /** Quotes about the time up to here were read; null: none. */
  #read_to: Micros | null

  constructor(session: ReadSession, index: PublishedIndex, links: ReadonlyMap<string, Decimal>, state: CourseState) {
    this.index = index
    this.#session = session
    this.#links = links
    this.#facts = new LegFacts(state.known_at_tick)
    this.#counting = countingParameters(state.known_at_tick)
    this.#state = state
    this.#read_to = state.memory === null ? null : state.done_to
    const { versions } = index.spec
    const spans = versions.map(({ fixing }) => (fixing === null ? 0 : fixing.partitions * fixing.partition))
    const graces = versions.map((version) => version.methodology.parameters.grace)
    this.#needs = { graces: [...new Set(graces)], fixing_span: Math.max(...spans) }
    this.#facts.want(this.#markets())
    this.#facts.restoreInstants(state.instants)
  }

  get state(): CourseState {
    return { ...this.#state, instants: this.#facts.instants() }
  }

  /** The rows of the ticks up to an end, which lies between no version's start and its first tick. */
  async advance(to: Micros, plan: Omit<LevelPlan, 'known' | 'links'>): Promise<PlannedLevels> {
    const { spec } = this.index
    const { memory, done_to, priced, windows } = this.#state
    await this.#read(to)
    const legs = legsOf(spec)
    const data = new Map(legs.map((leg) => [leg.key, { ...windows.of(leg), ...this.#facts.of(leg) }]))
    const shared = new SharedAdmission(data)
    const inputs = {
      admission: shared.admission,
      sources: new LegSources((leg) => data.get(leg.key)!),
      trim: shared.trim,
    }
    const known = await this.#known(done_to, to, priced)
    const steps = seriesStretch(spec, memory, inputs, { to, published_links: this.#links })
    const next = { memory, priced }
    const watched = watchSteps(steps, (after, priced_at) => {
      next.memory = after
      if (priced_at !== null)
        next.priced = { tick_at: priced_at, calculated_at: known.get(priced_at)?.calculated_at ?? plan.now }
    })
    const levels = planLevels(this.index, watched, { ...plan, known, links: this.#links })
    windows.retain(() => to, this.#needs)
    this.#state = { ...this.#state, ...next, done_to: to }
    return levels
  }

  /** Whether a record that is new freezes a leg at an instant that remembered marks have passed. */
  async hasPassedInstants(): Promise<boolean> {
    await this.#facts.readWanted(async () => this.#session)
    for (const leg of legsOf(this.index.spec)) this.#facts.of(leg)
    const legs = this.#state.memory?.reference.state.legs
    return [...this.#facts.takeNewInstants()].some(([key, instants]) => {
      const newest = legs?.get(key)?.history?.mark.source_at ?? Number.NEGATIVE_INFINITY
      return instants.some((instant) => instant <= newest)
    })
  }

  async #read(to: Micros): Promise<void> {
    const { done_to, windows } = this.#state
    const grace = Math.max(...this.#needs.graces)
    const after = this.#read_to ?? BEGINNING
    this.#read_to = to
    const set = await this.#session.columns(
      readSql(import.meta.url, 'sql/quotes_received.sql', { counted_from: countedFrom() }),
      {
        ...this.#counting,
        market_ids: this.#markets(),
        after: formatMicros(after),
        through: formatMicros(to),
        late_after: formatMicros(after + grace),
        late_through: formatMicros(to + grace),
      },
    )
    windows.take(quoteTable(set))
    await this.#facts.readWanted(async () => this.#session)
    if (this.#needs.fixing_span === 0) return
    const from = Math.max(BEGINNING, done_to - this.#needs.fixing_span)
    await this.#facts.readTrades(this.#session, this.#markets(), from, to)
  }

  /** Published ticks of a stretch, and the last priced one before it as it stands now. */
  async #known(from: Micros, to: Micros, priced: PricedTick | null): Promise<ReadonlyMap<Micros, KnownTick>> {
    const index_ids = [this.index.spec.index_id]
    const known = new Map<Micros, KnownTick>(priced === null ? [] : [[priced.tick_at, priced]])
    const ranges = [{ from, to }, ...(priced === null ? [] : [{ from: priced.tick_at, to: priced.tick_at + 1 }])]
    for (const range of ranges) {
      const params = { index_ids, from: formatMicros(range.from), to: formatMicros(range.to) }
      for (const row of await this.#session.query(readSql(import.meta.url, '../sql/published_ticks.sql'), params)) {
        const calculated_at = typeof row.calculated_at === 'string' ? toMicros(row.calculated_at) : undefined
        known.set(toMicros(row.tick_at), { calculated_at })
      }
    }
    return known
  }

  #markets(): string[] {
    return [...new Set(legsOf(this.index.spec).map(({ market_id }) => market_id as string))]
  }
}

const BEGINNING: Micros = toMicros('1700-01-01T00:00:00Z')

/** Passes steps through, and returns at their end the memory and the last tick with a level of its own. */
export function* watchSteps(
  steps: Generator<OfficialStep, SeriesMemory | null>,
  end: (memory: SeriesMemory | null, priced_at: Micros | null) => void,
): Generator<OfficialStep> {
  let priced_at: Micros | null = null
  let next = steps.next()
  for (; next.done !== true; next = steps.next()) {
    const { result } = next.value.step
    if (isPriced(result)) priced_at = result.tick_at
    yield next.value
  }
  end(next.value, priced_at)
}

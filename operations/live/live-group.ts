import type { LegData } from '../../pipelines/index/admission.ts'
import { legsOf } from '../../pipelines/index/admit.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import type { StampedRow } from '../index/write-stamped.ts'
import { type LiveMarks, MARK_PARAMETERS, markedLeg } from '../marks/live-marks.ts'
import { MARK_STEP } from '../marks/mark-ticks.ts'
import { markDueBefore, markRows } from '../marks/publish-marks.ts'
import type { Span } from '../pause/schedule-acts.ts'
import type { LiveDefinitions } from './live-definitions.ts'
import type { LiveLegs, ReadNeeds } from './live-legs.ts'
import type { LevelStretch, LiveLevels, StretchLevels } from './live-levels.ts'
import { lookBack } from './look-back.ts'
import { publicationNeeds } from './publication-needs.ts'

/** Tables with records of legs. */
const LEG_TABLES: readonly TableName[] = ['market_quote', 'market', 'market_resolution']

/** Approximate row limit of one commit: missed ticks are published in batches of this size, so memory stays flat. */
const STRETCH_ROWS_MAX = 2_000

/** View of one publication: everything published by `now`, which is sealed. */
export type PublicationView = {
  readonly warehouse: Warehouse
  readonly now: Micros
  readonly snapshots: readonly Snapshot[]
  /** Opens the inputs of ticks, as of `now`. */
  readonly session: () => Promise<ReadSession>
  /** Definitions and what is published, as they are. */
  readonly outputs: () => Promise<ReadSession>
  readonly definitions: LiveDefinitions
  /** Spans in which publication was paused: their ticks are not published. */
  readonly withheld: readonly Span[]
  /** Published ticks of some indexes in [from, to). */
  readonly known: (index_ids: readonly string[], from: Micros, to: Micros) => Promise<LevelStretch['known']>
}

export type GroupRows = {
  readonly rows: readonly StampedRow[]
  readonly failures: StretchLevels['failures']
}

/** Marks that are published from a tick on. */
export type GroupMarks = { readonly marks: LiveMarks; readonly from: Micros }

/**
 * Indexes, and possibly the marks of all markets, that advance together over the records of the same legs, with the results of a
 * publisher that runs at every instant.
 */
export class LiveGroup {
  readonly legs: LiveLegs
  readonly levels: LiveLevels
  readonly marks: GroupMarks | null
  through: Micros

  /** @param through instant by which everything due is done */
  constructor(legs: LiveLegs, levels: LiveLevels, marks: GroupMarks | null, through: Micros) {
    this.legs = legs
    this.levels = levels
    this.marks = marks
    this.through = through
  }

  /** The next stretch: what was due by its end, none when everything due at the view's now is done. */
  async advance(view: PublicationView): Promise<GroupRows | null> {
    if (this.through >= view.now) return null
    const through = Math.min(view.now, this.through + this.#span())
    const needs = this.#needs()
    const { warehouse, snapshots, session, now } = view
    const news = snapshots.filter(({ table }) => LEG_TABLES.includes(table))
    await this.legs.read({ warehouse, snapshots: news, session, through, sealed: now, needs })
    const level_legs = this.levels.legs()
    const mark_legs = this.marks === null ? [] : this.#markLegs()
    await this.#readTrades(view, through, needs)
    const data = this.legs.data([...level_legs, ...mark_legs])
    await lookBack(this.levels, this.legs.facts.takeNewInstants(), session)
    const marks = this.#takeMarks(mark_legs, data, through, view)
    const levels = await this.#takeLevels(data, through, view)
    this.legs.retain(this.#seenFrom(), needs)
    this.through = through
    return { ...levels, rows: [...marks, ...levels.rows] }
  }

  #span(): Micros {
    const steps = [...this.levels.followed.values()].flatMap(({ index }) => index.spec.versions.map((v) => v.frequency))
    const step = Math.min(...steps, this.marks === null ? Number.POSITIVE_INFINITY : MARK_STEP)
    return step * Math.max(1, Math.floor(STRETCH_ROWS_MAX / Math.max(1, steps.length, this.legs.quoted.size)))
  }

  #needs(): ReadNeeds {
    const specs = [...this.levels.followed.values()].map(({ index }) => index.spec)
    return { ...publicationNeeds(specs, this.marks === null ? null : MARK_STEP), first: this.#doneTo() }
  }

  /** Earliest instant of an upcoming tick. */
  #doneTo(): Micros {
    if (this.marks === null) return this.levels.done_to
    return Math.min(this.levels.done_to, this.#marksTo(this.marks))
  }

  /** Earliest instant of an upcoming tick, by market: a few indexes may lag behind by a long grace. */
  #seenFrom(): (market_id: string) => Micros {
    const rest = this.marks === null ? Number.POSITIVE_INFINITY : this.#marksTo(this.marks)
    const markets = new Map<string, Micros>()
    for (const { index, done_to } of this.levels.followed.values())
      for (const { market_id } of legsOf(index.spec))
        markets.set(market_id, Math.min(done_to, markets.get(market_id) ?? rest))
    return (market_id) => markets.get(market_id) ?? Math.min(rest, this.levels.done_to)
  }

  #marksTo({ marks, from }: GroupMarks): Micros {
    return marks.taken_to ?? from - MARK_PARAMETERS.max_carry
  }

  #markLegs(): Leg[] {
    return [...this.legs.quoted.values()].flatMap((market) =>
      this.legs.facts.outcomesOf(market.market_id).map((outcome) => markedLeg({ ...outcome, ...market })),
    )
  }

  async #readTrades({ session }: PublicationView, through: Micros, { fixing_span }: ReadNeeds): Promise<void> {
    const legs = this.levels.fixingLegs(through)
    if (legs.length === 0) return this.legs.facts.dropTrades()
    const markets = [...new Set(legs.map(({ market_id }) => market_id))]
    await this.legs.facts.readTrades(await session(), markets, this.levels.done_to - fixing_span, through)
  }

  #takeMarks(
    legs: readonly Leg[],
    data: ReadonlyMap<string, LegData>,
    through: Micros,
    { now, withheld }: PublicationView,
  ): StampedRow[] {
    if (this.marks === null) return []
    const { marks, from } = this.marks
    const to = markDueBefore(Number.MAX_SAFE_INTEGER, through)
    return marks.take(legs, data, { from, to, withheld }).flatMap((tick) => markRows(tick, 'wall', now))
  }

  async #takeLevels(
    data: ReadonlyMap<string, LegData>,
    through: Micros,
    { now, definitions, known, withheld }: PublicationView,
  ): Promise<GroupRows> {
    const ids = [...this.levels.followed.keys()]
    const done_to = this.levels.done_to
    const stretch = {
      through,
      now,
      data,
      known: ids.length === 0 || done_to > through ? new Map() : await known(ids, done_to, through + 1),
      linksOf: (index_id: string) => definitions.linksOf(index_id),
      withheld,
    }
    const { planned, failures } = this.levels.advance(stretch)
    return { rows: planned.flatMap(({ rows }) => rows), failures }
  }
}

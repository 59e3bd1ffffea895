import { randomUUID } from 'node:crypto'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { resolveAsOf } from '../../warehouse/read/resolve-as-of.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import type { KnownTick } from '../index/plan-levels.ts'
import { COURSE_TABLES } from '../index/stored-course.ts'
import { type StampedRow, WRITE_ORDER } from '../index/write-stamped.ts'
import { LiveMarks, MARK_PARAMETERS } from '../marks/live-marks.ts'
import { MARK_STEP, tickFrom } from '../marks/mark-ticks.ts'
import { markDueBefore, planMethodology, withoutPublishedMarks } from '../marks/publish-marks.ts'
import { openPauses, type Pauses } from '../pause/pauses.ts'
import { pausedSpans, type Span } from '../pause/schedule-acts.ts'
import { LiveDefinitions } from './live-definitions.ts'
import { type GroupMarks, LiveGroup, type PublicationView } from './live-group.ts'
import { LiveLegs } from './live-legs.ts'
import { LiveLevels } from './live-levels.ts'
import { storedGroup, storeGroup } from './publication-state.ts'
import { type PublishedRows, type PublishOnceOptions, publishOnce } from './publish-once.ts'
import { StuckIndexes } from './stuck-indexes.ts'

export type PublishedTick = {
  readonly at: Instant
  readonly levels: number
  readonly marks: number
  readonly commits: number
}

/** Publishes what is due, again and again, remembering between the ticks what the next one needs. */
export type LivePublisher = {
  /**
   * Marks of every market and levels of every index that are due by the warehouse's clock and not published yet: one commit a
   * table. What was missed since the last call, or since this publication began, is made up for, one tick after the other,
   * in commits of a bounded size. A new or redefined index is caught up after all others; the work stops when the next tick is near,
   * and the next call continues it. Several publishers of one warehouse publish each tick once. A pause publishes nothing, and its ticks
   * are not published afterwards either.
   * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT of one index, once, after the others are published; and
   *   what Warehouse.append throws: the next call publishes first what this one could not
   */
  publishDue(): Promise<PublishedTick>
}

export type LivePublisherOptions = {
  /** Whether the levels of an index are published; all are when left out. */
  readonly follows?: (index_id: string) => boolean
}

/** Input tables of a tick, sealed before they are read, so no later row counts for a tick that is due. */
const INPUTS = COURSE_TABLES
/** Tables that a tick is decided by and published to; not sealed, because the commit detects another publisher. */
const OUTPUTS = WRITE_ORDER

/** Opens a publisher. @param warehouse this process must be a writer of it: each tick's inputs are sealed before they are read */
export function openLivePublisher(warehouse: Warehouse, options: LivePublisherOptions = {}): LivePublisher {
  const publication = new Publication(warehouse, options.follows ?? (() => true))
  return { publishDue: () => publication.publishDue() }
}

/** Time before the next tick is due in which no new index is caught up; each call has at least as much for it. */
const SPARED: Micros = 10_000_000

/** Distance of the instants at which what is remembered is stored. */
const STORE_EVERY: Micros = 10 * MARK_STEP

type Waiting = Omit<PublishOnceOptions, 'operation' | 'app_id'> & { readonly rows: readonly StampedRow[] }
type Outcome = { levels: number; marks: number; commits: number; readonly failures: unknown[] }

class Publication {
  readonly #warehouse: Warehouse
  readonly #pauses: Pauses
  readonly #definitions: LiveDefinitions
  readonly #app_id = `PUBLISH_TICK/${randomUUID()}`
  #app_sequence = 0
  #main: LiveGroup | null = null
  /** New and redefined indexes that are not up to date yet; each group advances alone from its base date. */
  #joining: LiveGroup[] = []
  readonly #stuck: StuckIndexes
  /** Rows that were decided and are not known to be published. */
  #waiting: Waiting | null = null
  /** The newest row of each table when all of them were known or written here. */
  #left: ReadonlyMap<TableName, Micros> = new Map()
  #has_methodology = false
  #stored_at = Number.NEGATIVE_INFINITY

  constructor(warehouse: Warehouse, follows: (index_id: string) => boolean) {
    this.#warehouse = warehouse
    this.#pauses = openPauses(warehouse)
    this.#stuck = new StuckIndexes(warehouse.local_root)
    this.#definitions = new LiveDefinitions(follows)
  }

  async publishDue() {
    const outcome: Outcome = { levels: 0, marks: 0, commits: 0, failures: [] }
    if (await this.#isPaused()) return tickOf(await this.#warehouse.now(), outcome)
    await this.#flush(outcome)
    const now = await this.#warehouse.now()
    // Read after `now`: a tick is due some seconds after its instant, so a pause that began before the tick is seen.
    const withheld = pausedSpans(await this.#pauses.acts(), SCHEDULE_IDS.publish)
    const { view, close } = await this.#view(now, withheld)
    try {
      await this.#definitions.refresh(view.snapshots, view.outputs)
      this.#main ??= (await this.#stored(view)) ?? this.#begin(view)
      const known_through = headsOf(view)
      const arriving = this.#arriving(this.#main, now)
      this.#joining.push(...arriving)
      await this.#finish(this.#main, this.#unless(view), outcome, known_through)
      await this.#catchUp(this.#main, view, outcome, known_through)
      this.#left = known_through
    } catch (error) {
      // The memory may be that of half a tick: begin anew.
      if (this.#waiting === null) [this.#main, this.#joining] = [null, []]
      throw error
    } finally {
      await close()
    }
    await this.#store(view, this.#main)
    await this.#stuck.store(this.#definitions.indexes)
    if (outcome.failures.length > 0) throw outcome.failures[0]
    return tickOf(now, outcome)
  }

  async #isPaused(): Promise<boolean> {
    return (await this.#pauses.of(SCHEDULE_IDS.publish)) !== null
  }

  /** Seals what ticks are made from, and takes its snapshots; what they show is opened when first asked for. */
  async #view(now: Micros, withheld: readonly Span[]): Promise<{ view: PublicationView; close: () => Promise<void> }> {
    const warehouse = this.#warehouse
    const { snapshots } = await resolveAsOf(warehouse, { as_of: now, tables: INPUTS, pin: true })
    const heads = await Promise.all(OUTPUTS.map((table) => warehouse.log(table).snapshot()))
    const session = lazily(() => openReadSession(warehouse, { as_of: now, tables: INPUTS }))
    const outputs = lazily(() => openReadSession(warehouse, { as_of: null, tables: OUTPUTS }))
    const known: PublicationView['known'] = async (...asked) => knownTicks(await outputs.open(), ...asked)
    const close = async () => {
      await session.close()
      await outputs.close()
    }
    const all = [...snapshots, ...heads]
    const view = { warehouse, now, withheld, snapshots: all, session: session.open, outputs: outputs.open, known }
    return { view: { ...view, definitions: this.#definitions }, close }
  }

  /** Skips the check for published ticks if nobody else can have published one since the last call. */
  #unless(view: PublicationView): PublicationView {
    if (!this.#isAlone('index_observation', headsOf(view))) return view
    return { ...view, known: async () => new Map() }
  }

  /** Whether nobody else has published to a table since the last call. */
  #isAlone(table: TableName, heads: ReadonlyMap<TableName, Micros>): boolean {
    const left = this.#left.get(table)
    return left !== undefined && left === heads.get(table)
  }

  #stored({ warehouse, snapshots }: PublicationView): Promise<LiveGroup | null> {
    return storedGroup(warehouse.local_root, quotesOf(snapshots), this.#definitions.indexes)
  }

  /** Stores what is remembered now and then: what is older only takes the next process longer. */
  async #store({ warehouse, snapshots, now }: PublicationView, group: LiveGroup): Promise<void> {
    if (now - this.#stored_at < STORE_EVERY) return
    this.#stored_at = now
    await storeGroup(warehouse.local_root, quotesOf(snapshots), group).catch(() => undefined) // it is only ever a shortcut
  }

  /** Every market's marks, from nothing: of the last tick on, as of max_carry before it. */
  #begin({ now }: PublicationView): LiveGroup {
    const from = markDueBefore(Number.MAX_SAFE_INTEGER, now) - MARK_STEP
    const marks: GroupMarks = { marks: new LiveMarks(MARK_STEP), from }
    return new LiveGroup(new LiveLegs(null), new LiveLevels(), marks, from - MARK_PARAMETERS.max_carry)
  }

  /** Groups of indexes that are new or redefined since the last call; outdated ones are forgotten. */
  #arriving(main: LiveGroup, now: Micros): LiveGroup[] {
    const { indexes } = this.#definitions
    for (const { levels } of [main, ...this.#joining])
      for (const [id, { index }] of levels.followed) if (indexes.get(id) !== index) levels.forget(id)
    this.#joining = this.#joining.filter(({ levels }) => levels.followed.size > 0)
    const is_known = (id: string) => [main, ...this.#joining].some(({ levels }) => levels.followed.has(id))
    const starts = new Map<Micros, PublishedIndex[]>()
    for (const [id, index] of indexes) {
      if (is_known(id) || this.#stuck.has(index) || index.spec.versions.length === 0) continue
      const { base_date } = index.spec
      const start = Math.min(base_date, now)
      const known = starts.get(start)
      if (known === undefined) starts.set(start, [index])
      else known.push(index)
    }
    return [...starts].map(([start, together]) => groupOf(together, start))
  }

  /** Catches joining indexes up for a while; those that are up to date join. */
  async #catchUp(
    main: LiveGroup,
    view: PublicationView,
    outcome: Outcome,
    known_through: Map<TableName, Micros>,
  ): Promise<void> {
    const { grace } = MARK_PARAMETERS
    const until = Math.max(view.now + SPARED, tickFrom(view.now - grace + 1) + grace - SPARED)
    for (const group of [...this.#joining]) {
      if (!(await this.#finish(group, view, outcome, known_through, until))) return
      this.#joining = this.#joining.filter((other) => other !== group)
      join(main, group)
    }
  }

  /**
   * Publishes everything of a group that is due, stretch by stretch.
   * @param until instant after which no further stretch begins; null: all are published
   * @returns false if that instant or a pause came before
   */
  async #finish(
    group: LiveGroup,
    view: PublicationView,
    outcome: Outcome,
    known_through: Map<TableName, Micros>,
    until: Micros | null = null,
  ): Promise<boolean> {
    const is_alone = this.#isAlone('market_mark', known_through)
    for (let next = await group.advance(view); next !== null; next = await group.advance(view)) {
      for (const { index, error } of next.failures) {
        this.#stuck.add(index, error, view.now)
        outcome.failures.push(error)
      }
      // A new publisher, or one that resumes from an older state, may compute marks that are published already.
      const fresh = is_alone ? next.rows : await withoutPublishedMarks(await view.outputs(), next.rows)
      if (fresh.length > 0) {
        const rows = await this.#withMethodology(fresh, view)
        this.#app_sequence += 1
        this.#waiting = { rows, known_through: new Map(known_through), app_sequence: this.#app_sequence }
        const published = await this.#flush(outcome)
        for (const [table, at] of published) known_through.set(table, at)
        if (await this.#isPaused()) return false
      }
      if (until !== null && (await this.#warehouse.now()) > until) return false
    }
    return true
  }

  /** Publishes the pending rows. */
  async #flush(outcome: Outcome): Promise<PublishedRows['published_at']> {
    if (this.#waiting === null) return new Map()
    const { rows, ...waiting } = this.#waiting
    this.#left = new Map()
    const options = { operation: 'PUBLISH_TICK', app_id: this.#app_id, ...waiting }
    const { commits, published_at, written } = await publishOnce(this.#warehouse, rows, options)
    outcome.commits += commits
    outcome.levels += written.get('index_observation') ?? 0
    outcome.marks += written.get('market_mark') ?? 0
    this.#waiting = null
    return published_at
  }

  async #withMethodology(rows: readonly StampedRow[], { outputs }: PublicationView): Promise<readonly StampedRow[]> {
    const marks = rows.filter(({ table }) => table === 'market_mark')
    if (this.#has_methodology || marks.length === 0) return rows
    const methodology = await planMethodology(await outputs(), marks)
    this.#has_methodology = true
    return [...methodology, ...rows]
  }
}

function tickOf(now: Micros, { levels, marks, commits }: Outcome): PublishedTick {
  return { at: formatMicros(now), levels, marks, commits }
}

type Lazy = { readonly open: () => Promise<ReadSession>; close(): Promise<void> }

function lazily(make: () => Promise<ReadSession>): Lazy {
  let opened: Promise<ReadSession> | null = null
  return {
    open: () => {
      opened ??= make()
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

function quotesOf(snapshots: PublicationView['snapshots']): Snapshot {
  return snapshots.find(({ table }) => table === 'market_quote')!
}

/** The newest row of each table in a view. */
function headsOf({ snapshots }: PublicationView): Map<TableName, Micros> {
  return new Map(snapshots.flatMap(({ table, head_stamp }) => (head_stamp === null ? [] : [[table, head_stamp]])))
}

async function knownTicks(
  session: ReadSession,
  index_ids: readonly string[],
  from: Micros,
  to: Micros,
): Promise<ReadonlyMap<string, ReadonlyMap<Micros, KnownTick>>> {
  const range = { from: formatMicros(from), to: formatMicros(to) }
  const known = new Map<string, Map<Micros, KnownTick>>()
  for (const row of await session.query(readSql(import.meta.url, '../sql/published_ticks.sql'), {
    index_ids,
    ...range,
  })) {
    const ticks = known.get(String(row.index_id)) ?? new Map<Micros, KnownTick>()
    const calculated_at = typeof row.calculated_at === 'string' ? toMicros(row.calculated_at) : undefined
    ticks.set(toMicros(row.tick_at), { calculated_at })
    known.set(String(row.index_id), ticks)
  }
  return known
}

function join(main: LiveGroup, group: LiveGroup): void {
  for (const followed of group.levels.followed.values()) main.levels.follow(followed)
  main.legs.merge(group.legs)
}

function groupOf(indexes: readonly PublishedIndex[], start: Micros): LiveGroup {
  const levels = new LiveLevels()
  for (const index of indexes) levels.follow({ index, memory: null, done_to: index.spec.base_date, priced: null })
  const markets = new Set(levels.legs().map(({ market_id }) => market_id as string))
  return new LiveGroup(new LiveLegs([...markets]), levels, null, start)
}

import { MarkRevisions, type PlannedMark, type PublishedMark } from '../../pipelines/index/mark-revisions.ts'
import type { MarkRecord } from '../../pipelines/index/market-marks.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Ticks } from './archive-records.ts'
import type { MarksOfTick } from './live-marks.ts'
import type { ArchivePlan } from './plan-archive-marks.ts'

export type PlannedTick = { readonly tick_at: Micros; readonly records: readonly PlannedMark[] }

/** The computed and the published mark of one tick; either may be absent. */
type Pair = { computed: MarkRecord | null; published: PublishedMark | null }

type PlanPart = Pick<ArchivePlan, 'market_ids' | 'windows' | 'resume_at' | 'last_tick'>

/** Compares computed marks with those that were published when it was opened, span of ticks after span. */
export class MarkComparison {
  readonly #session: ReadSession
  readonly #plan: PlanPart
  readonly #outcomes: Map<string, MarkRevisions>

  private constructor(session: ReadSession, plan: PlanPart, before: readonly Row[]) {
    this.#session = session
    this.#plan = plan
    this.#outcomes = new Map(before.map((row) => [keyOf(row), new MarkRevisions(published(row))]))
  }

  static async open(session: ReadSession, plan: PlanPart): Promise<MarkComparison> {
    const { market_ids, last_tick } = plan
    const params = { market_ids, before: formatMicros(firstOf(plan)) }
    const sql = readSql(import.meta.url, 'sql/published_marks_before.sql')
    return new MarkComparison(session, plan, last_tick === null ? [] : await session.query(sql, params))
  }

  /** Returns the marks of a span to publish, tick by tick. @param changed computed marks that differ from the tick before */
  async take(changed: readonly MarksOfTick[], span: Ticks): Promise<PlannedTick[]> {
    const pairs = new Map<string, Map<Micros, Pair>>()
    const pairAt = (key: string, tick_at: Micros): Pair => {
      const outcome = pairs.get(key) ?? new Map<Micros, Pair>()
      pairs.set(key, outcome)
      const pair = outcome.get(tick_at) ?? { computed: null, published: null }
      outcome.set(tick_at, pair)
      return pair
    }
    for (const { tick_at, records } of changed)
      for (const record of records) pairAt(keyOf(record), tick_at).computed = record
    for (const row of await this.#published(span)) pairAt(keyOf(row), toMicros(row.tick_at)).published = published(row)
    const { resume_at } = this.#plan
    // Changes that earlier ticks could no longer publish are published at the first tick that can.
    if (resume_at !== null && resume_at >= span.from && resume_at < span.to)
      for (const key of new Set([...this.#outcomes.keys(), ...pairs.keys()])) pairAt(key, resume_at)
    return this.#planned(pairs)
  }

  async #published(span: Ticks): Promise<readonly Row[]> {
    const { market_ids, last_tick } = this.#plan
    const from = Math.max(span.from, firstOf(this.#plan))
    if (last_tick === null || last_tick < from || from >= span.to) return []
    const params = { market_ids, from: formatMicros(from), to: formatMicros(span.to) }
    return this.#session.query(readSql(import.meta.url, 'sql/published_marks.sql'), params)
  }

  #planned(pairs: ReadonlyMap<string, ReadonlyMap<Micros, Pair>>): PlannedTick[] {
    const ticks = new Map<Micros, PlannedMark[]>()
    for (const [key, outcome] of pairs) {
      const revisions = this.#outcomes.get(key) ?? new MarkRevisions(null)
      this.#outcomes.set(key, revisions)
      for (const [tick_at, { computed, published: known }] of [...outcome].sort(([a], [b]) => a - b)) {
        const mark = revisions.take(tick_at, computed, known, this.#mayPublish(tick_at))
        if (mark === null) continue
        const records = ticks.get(tick_at) ?? []
        ticks.set(tick_at, records)
        records.push(mark)
      }
    }
    return [...ticks].sort(([a], [b]) => a - b).map(([tick_at, records]) => ({ tick_at, records }))
  }

  #mayPublish(tick_at: Micros): boolean {
    const { windows, resume_at } = this.#plan
    if (resume_at !== null && tick_at < resume_at) return false
    return windows.some(({ from, to }) => tick_at >= from && tick_at < to)
  }
}

function firstOf({ windows }: PlanPart): Micros {
  return Math.min(...windows.map(({ from }) => from))
}

function keyOf(mark: Row | MarkRecord): string {
  return `${mark.outcome_id} ${mark.source_series_id}`
}

function published(row: Row): PublishedMark {
  return row as unknown as PublishedMark
}

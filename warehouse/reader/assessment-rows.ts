import { type AssessmentFacts, currentAssessment, laterFirst } from '../../pipelines/review/current-assessment.ts'
import { type Micros, microsOf, toMicros } from '../../primitives/instants.ts'
import { type AssessmentKind, IN_FORCE_STATES, type ReviewState } from '../../vocabulary/review.ts'
import type { Row } from '../schema.ts'
import { type AssessmentTableName, SERIES_OF } from './followed-tables.ts'
import { keyText } from './placed-row.ts'
import type { AssessmentAnswer, AssessmentFilter, Placed } from './reader.ts'

/** Newest revision of a record, with the fields that decide whether it is in force. */
export type AssessmentHead = AssessmentFacts & Placed & { readonly methodology_id: string }

/** Records of one subject that are or may become in force. */
type Series = {
  readonly key: Row
  first_published_at: Micros
  last_published_at: Micros
  /** By chain: approved or disputed; all records of people, the newest of the model. */
  readonly heads: Map<string, AssessmentHead>
  /** effective_from of records under review, by chain. */
  readonly waiting: Map<string, Micros>
  /** Newest record of the model that was dropped, as were all before it; null: none was. */
  floor: AssessmentHead | null
  /** Cached answer and the instants [from, until) it holds for; null: nothing cached since the last record. */
  known: { readonly answer: AssessmentAnswer | null; readonly from: Micros; readonly until: Micros } | null
}

/**
 * Records of the model that are kept per series. One a day is published and the last is in force; an earlier one returns to
 * force when that is withdrawn, and then as many are read again.
 */
export const MODEL_RECORDS_KEPT = 3

/**
 * Records of each series that are or may become in force. Records of people are few and all kept; the model publishes one a
 * day, so its older ones stay in the files. Memory grows with the number of series only.
 */
export class AssessmentRows {
  readonly table: AssessmentTableName
  readonly #by_key = new Map<string, Series>()

  constructor(table: AssessmentTableName) {
    this.table = table
  }

  /** Adds the next revision in the order of publication. */
  add(row: Row, seq: number): void {
    const published_at = toMicros(row.published_at, 'published_at')
    const series = this.seen(row, published_at, published_at)
    const { chain_id } = row
    series.known = null
    series.heads.delete(String(chain_id))
    series.waiting.delete(String(chain_id))
    if (row.review_state === 'under_review') series.waiting.set(String(chain_id), toMicros(row.effective_from))
    if (counts(row)) keep(series, headOf(withoutMeasured(row), seq))
  }

  /**
   * Returns the series that these rows, not yet added, would leave without a record of the model while older ones were dropped.
   * One of the dropped records will be in force sooner or later, so these series must be refilled from the files.
   */
  losing(rows: readonly Row[]): readonly Row[] {
    const lost = rows.flatMap((row) => {
      const series = this.#find(row)
      const head = series?.heads.get(String(row.chain_id))
      return series?.floor != null && head !== undefined && isRoutine(head) && !counts(row) ? [series.key] : []
    })
    return [...new Set(lost)]
  }

  /** Replaces a series. @param placed its records that may be in force, in the order of publication */
  refill(key: Row, placed: readonly Placed[]): void {
    const series = this.#find(key)!
    series.heads.clear()
    series.waiting.clear()
    series.floor = null
    for (const { row, seq } of placed) this.add(row, seq)
  }

  /** Notes when the first and last record of a series were published, and returns the series. */
  seen(row: Row, first_published_at: Micros, last_published_at: Micros): Series {
    const columns = SERIES_OF[this.table]
    const name = keyText(row, columns)
    const known = this.#by_key.get(name)
    if (known === undefined) {
      const key = Object.fromEntries(columns.map((column) => [column, row[column]]))
      const series = {
        key,
        first_published_at,
        last_published_at,
        heads: new Map(),
        waiting: new Map(),
        floor: null,
        known: null,
      }
      this.#by_key.set(name, series)
      return series
    }
    known.last_published_at = Math.max(known.last_published_at, last_published_at)
    return known
  }

  /**
   * Returns the record of a series that is in force at an instant; null: memory does not hold it.
   * @param at  at or after the publication of the series' last record (see `knowsAt`)
   */
  current(key: Row, asked: AssessmentFilter, at: Micros): AssessmentAnswer | null {
    const series = this.#find(key)
    if (series === undefined || series.first_published_at > at) return NONE
    if (asked.kind !== null || asked.methodology_id !== null) return currentOf(series, asked, at)
    if (series.known === null || at < series.known.from || at >= series.known.until)
      series.known = { answer: currentOf(series, asked, at), ...unchangedAround(series, at) }
    return series.known.answer
  }

  /** True if nothing was published of a series after an instant, so memory answers for that instant too. */
  knowsAt(key: Row, at: Micros): boolean {
    const series = this.#find(key)
    return series === undefined || series.last_published_at <= at || series.first_published_at > at
  }

  /** True if any record of a series was published by an instant. */
  isKnown(key: Row, at: Micros): boolean {
    const series = this.#find(key)
    return series !== undefined && series.first_published_at <= at
  }

  /** Keys of all known series, by first publication, then by name: files and commits name them in different orders. */
  keys(): Row[] {
    const named = [...this.#by_key].sort(([name, a], [other, b]) => {
      return a.first_published_at - b.first_published_at || (name < other ? -1 : 1)
    })
    return named.map(([, { key }]) => key)
  }

  #find(key: Row): Series | undefined {
    return this.#by_key.get(keyText(key, SERIES_OF[this.table]))
  }
}

function currentOf(series: Series, asked: AssessmentFilter, at: Micros): AssessmentAnswer | null {
  const placed = answerOf([...series.heads.values()], asked, at)
  const may_be_left_out = series.floor !== null && (asked.kind ?? 'model') === 'model'
  if (placed === null && may_be_left_out) return null
  const waits = [...series.waiting.values()].some((from) => from <= at)
  return { placed, waits, last_published_at: series.last_published_at }
}

/** Interval around an instant in which no record of the series takes effect or ends. */
function unchangedAround({ heads, waiting }: Series, at: Micros): { readonly from: Micros; readonly until: Micros } {
  const changes = [...heads.values()].flatMap(({ effective_from, effective_to, published_at }) => [
    published_at,
    effective_from,
    ...(effective_to === null ? [] : [effective_to]),
  ])
  changes.push(...waiting.values())
  return {
    from: Math.max(...changes.filter((change) => change <= at)),
    until: Math.min(...changes.filter((change) => change > at)),
  }
}

const NONE: AssessmentAnswer = { placed: null, waits: false, last_published_at: null }

/** Returns the head in force. @param heads one per chain */
export function answerOf(
  heads: readonly AssessmentHead[],
  { kind, methodology_id }: AssessmentFilter,
  at: Micros,
): AssessmentHead | null {
  const asked = methodology_id === null ? heads : heads.filter((head) => head.methodology_id === methodology_id)
  return currentAssessment(asked, at, kind as AssessmentKind | null)
}

/** Parses a record's newest revision. */
export function headOf(row: Row, seq: number): AssessmentHead {
  return {
    row,
    seq,
    record_id: String(row.rating_id ?? row.assessment_id),
    chain_id: String(row.chain_id),
    revision: row.revision as number,
    kind: (row.issuer as { readonly kind: AssessmentKind }).kind,
    review_state: row.review_state as AssessmentHead['review_state'],
    effective_from: toMicros(row.effective_from, 'effective_from'),
    effective_to: microsOf(row.effective_to),
    published_at: toMicros(row.published_at, 'published_at'),
    overrides: row.override !== null && row.override !== undefined,
    row_ordinal: row.row_ordinal as number,
    methodology_id: String(row.methodology_id),
  }
}

function keep(series: Series, head: AssessmentHead): void {
  series.heads.set(head.chain_id, head)
  if (!isRoutine(head)) return
  const routine = [...series.heads.values()].filter(isRoutine).sort(laterFirst)
  const { floor } = series
  const left_out = routine.filter(
    (one, rank) => rank >= MODEL_RECORDS_KEPT || (floor !== null && laterFirst(floor, one) < 0),
  )
  for (const one of left_out) {
    series.heads.delete(one.chain_id)
    if (series.floor === null || laterFirst(one, series.floor) < 0) series.floor = one
  }
}

function counts({ review_state }: Row): boolean {
  return IN_FORCE_STATES.includes(review_state as ReviewState)
}

/** True for a daily record of the model; it has no end. */
function isRoutine({ kind, overrides, effective_to }: AssessmentHead): boolean {
  return kind === 'model' && !overrides && effective_to === null
}

/** Removes texts that only a check of hashes needs; it reads them from the files. */
function withoutMeasured(row: Row): Row {
  const evidence = (row.evidence ?? []) as readonly Row[]
  return { ...row, evidence: evidence.map(({ measured: _, ...item }) => item) }
}

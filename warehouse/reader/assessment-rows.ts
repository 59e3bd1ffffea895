import {
  type AssessmentFacts,
  type AssessmentKind,
  currentAssessment,
} from '../../pipelines/review/current-assessment.ts'
import { type Micros, microsOf, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type AssessmentTableName, SERIES_OF } from './followed-tables.ts'
import { keyText } from './placed-row.ts'
import type { AssessmentAnswer, AssessmentFilter, Placed } from './reader.ts'

/** The newest revision of a record, with what decides whether it is in force. */
export type AssessmentHead = AssessmentFacts &
  Placed & { readonly row_ordinal: number; readonly methodology_id: string }

/** One subject: what may be in force of it, now or later. */
type Series = {
  readonly key: Row
  first_published_at: Micros
  last_published_at: Micros
  /** By chain: approved or disputed, of people all, of the program the newest. */
  readonly heads: Map<string, AssessmentHead>
  /** effective_from of records under review, by chain. */
  readonly waiting: Map<string, Micros>
  /** Records of the program that come before this one were left out; null: none was. */
  floor: AssessmentHead | null
  /** What is in force by precedence, and the instants [from, until) at which it is; null: not asked for since the last record. */
  known: { readonly answer: AssessmentAnswer | null; readonly from: Micros; readonly until: Micros } | null
}

/**
 * How many records of the program are kept of a series. One a day is published, of which the last is in force; those before it come
 * into force where that one is withdrawn, and then as many are read again.
 */
export const MODEL_RECORDS_KEPT = 3

/**
 * Of each series the records that are in force or may come into force. Records of people are few and all kept; the program makes
 * one a day, so its older ones are left to the files. Size is that of the number of series.
 */
export class AssessmentRows {
  readonly table: AssessmentTableName
  readonly #by_key = new Map<string, Series>()

  constructor(table: AssessmentTableName) {
    this.table = table
  }

  /** Takes in the next revision in the order of publication. */
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
   * Series that lose a record of the program by these rows, which are not taken in yet, while older ones are left out: sooner or
   * later one of those is in force, so memory is to be filled anew of them.
   */
  losing(rows: readonly Row[]): readonly Row[] {
    const lost = rows.flatMap((row) => {
      const series = this.#find(row)
      const head = series?.heads.get(String(row.chain_id))
      return series?.floor != null && head !== undefined && isRoutine(head) && !counts(row) ? [series.key] : []
    })
    return [...new Set(lost)]
  }

  /** Begins a series anew. @param placed what may be in force of it, in the order of publication */
  refill(key: Row, placed: readonly Placed[]): void {
    const series = this.#find(key)!
    series.heads.clear()
    series.waiting.clear()
    series.floor = null
    for (const { row, seq } of placed) this.add(row, seq)
  }

  /** Some record of a series was published from and until then. */
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
   * What is in force of a series at an instant; null: memory cannot tell.
   * @param at  at or after the publication of the series' last record, as `knowsAt` says
   */
  current(key: Row, asked: AssessmentFilter, at: Micros): AssessmentAnswer | null {
    const series = this.#find(key)
    if (series === undefined || series.first_published_at > at) return NONE
    if (asked.kind !== null || asked.methodology_id !== null) return currentOf(series, asked, at)
    if (series.known === null || at < series.known.from || at >= series.known.until)
      series.known = { answer: currentOf(series, asked, at), ...unchangedAround(series, at) }
    return series.known.answer
  }

  /** Whether nothing was published of a series after an instant, so that memory is of that instant too. */
  knowsAt(key: Row, at: Micros): boolean {
    const series = this.#find(key)
    return series === undefined || series.last_published_at <= at || series.first_published_at > at
  }

  /** Whether any record of a series was published by an instant. */
  isKnown(key: Row, at: Micros): boolean {
    const series = this.#find(key)
    return series !== undefined && series.first_published_at <= at
  }

  /** What every known series is about, in the order in which they came. */
  keys(): Row[] {
    return [...this.#by_key.values()].map(({ key }) => key)
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

/** The instants around one between which nothing of a series takes effect or ends. */
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

/** The head that is in force (methodology 4.13, 4.17; pipelines/review/current-assessment.ts). @param heads one a chain */
export function answerOf(
  heads: readonly AssessmentHead[],
  { kind, methodology_id }: AssessmentFilter,
  at: Micros,
): AssessmentHead | null {
  const asked = methodology_id === null ? heads : heads.filter((head) => head.methodology_id === methodology_id)
  // The sort by precedence is stable: equals stay as they are here, by revision and place in their commit.
  const sorted = asked.toSorted((a, b) => b.revision - a.revision || b.row_ordinal - a.row_ordinal)
  return currentAssessment(sorted, at, kind as AssessmentKind | null)
}

/** Takes a record's newest revision apart. */
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
    (one, place) => place >= MODEL_RECORDS_KEPT || (floor !== null && laterFirst(floor, one) < 0),
  )
  for (const one of left_out) {
    series.heads.delete(one.chain_id)
    if (series.floor === null || laterFirst(one, series.floor) < 0) series.floor = one
  }
}

function counts({ review_state }: Row): boolean {
  return review_state === 'approved' || review_state === 'disputed'
}

/** What the program makes day by day; it has no end. */
function isRoutine({ kind, overrides, effective_to }: AssessmentHead): boolean {
  return kind === 'model' && !overrides && effective_to === null
}

function laterFirst(a: AssessmentHead, b: AssessmentHead): number {
  return (
    b.effective_from - a.effective_from ||
    b.published_at - a.published_at ||
    b.revision - a.revision ||
    b.row_ordinal - a.row_ordinal
  )
}

/** Texts that only a checker of hashes asks for are left to the files. */
function withoutMeasured(row: Row): Row {
  const evidence = (row.evidence ?? []) as readonly Row[]
  return { ...row, evidence: evidence.map(({ measured: _, ...item }) => item) }
}

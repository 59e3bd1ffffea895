import { toMicros } from '../../primitives/instants.ts'
import type { AssessmentKey, AssessmentRecords } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { loggedRows, type RecordForm } from '../transparency/record-form.ts'
import { oneMore, pinnedAt } from './history-request.ts'
import { flagParameter, instantParameter, integerParameter, listParameter, textParameter } from './parameters.ts'

/** States shown by default: those in which a record was public. */
const SHOWN_STATES = ['approved', 'disputed', 'superseded']

/** A kind of record: its table and key, its grade parameter, and its conversion to the resource. */
export type RecordHistory = Pick<AssessmentRecords, 'table' | 'key'> & {
  /** Name of the parameter that filters by band or level. */
  readonly grade: string
  readonly id: string
  readonly show: (row: Row, measured: boolean) => unknown
  /** Form of a record in the log. */
  readonly form: RecordForm
}

/** Returns a page of committee records, sorted by (effective_from, published_at, id). */
export async function recordHistory(request: RouteRequest, history: RecordHistory): Promise<RouteAnswer> {
  const { table, key, id, show, form } = history
  const limit = integerParameter(request, 'limit')
  const as_of = pinnedAt(request, [table])
  const after = (request.cursor?.key as AssessmentKey | undefined) ?? null
  const asked: AssessmentRecords = {
    table,
    key,
    review_states: statesOf(request),
    grade: textParameter(request, history.grade),
    methodology_id: textParameter(request, 'methodology_id'),
    start: instantParameter(request, 'start_time'),
    end: instantParameter(request, 'end_time'),
    published_after: instantParameter(request, 'published_after'),
    include_corrections: flagParameter(request, 'include_corrections'),
  }
  const rows = await request.reader.assessments.records(asked, oneMore({ after, limit, as_of }))
  const on_page = rows.slice(0, limit)
  const last = on_page.at(-1)
  const next =
    last === undefined || rows.length <= limit
      ? null
      : { as_of, key: [toMicros(last.effective_from), toMicros(last.published_at), String(last[id])] }
  const measured = isMeasured(request)
  const logged = loggedRows([form.kind], on_page, () => form)
  return { data: on_page.map((row) => show(row, measured)), next, ...logged }
}

/** Reports whether evidence is requested with the texts that its hashes cover. */
export function isMeasured(request: RouteRequest): boolean {
  return listParameter(request, 'expand').includes('measured')
}

function statesOf(request: RouteRequest): readonly string[] {
  const asked = listParameter(request, 'review_state')
  const states = asked.length === 0 ? SHOWN_STATES : asked
  return flagParameter(request, 'include_withdrawn') ? [...new Set([...states, 'withdrawn'])] : states
}

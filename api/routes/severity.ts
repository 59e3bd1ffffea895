import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { withOwnStates } from '../own-venue/own-states.ts'
import { notAssessed, severityAssessmentOf, severityMethodologyOf } from '../resources/severity.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { SEVERITY } from '../transparency/record-forms.ts'
import { presentAt } from './history-request.ts'
import { requiredText, textParameter } from './parameters.ts'
import { prebuilt } from './prebuilt.ts'
import { isMeasured, recordHistory } from './record-history.ts'

const TABLE = 'severity_assessment'
const ALL = { kind: null, methodology_id: null }

/** Bytes of an assessment's resource, shared with the stream. */
export const severityBytes = prebuilt((row) => severityAssessmentOf(row))

export const SEVERITY_ROUTES = {
  get_event_severity: (request) => withAssessable(request, (event_id) => getEventSeverity(request, event_id)),
  list_event_severity: (request) => withAssessable(request, (event_id) => listAssessments(request, { event_id })),
  list_severity_assessments: (request) => listAssessments(request, {}),
  get_severity_methodology: (request) => {
    const [methodology_id, version] = [requiredText(request, 'methodology_id'), requiredText(request, 'version')]
    const row = request.reader.catalog(request.as_of).assessmentMethodology(TABLE, methodology_id, version)
    if (row !== null) return { data: severityMethodologyOf(row) }
    throw missing('severity_methodology', `${methodology_id}@${version}`)
  },
} as const satisfies Partial<RouteHandlers>

/** Lists assessments of the requested type, or of both. @param key  the event that they are of; empty: every event */
function listAssessments(request: RouteRequest, key: Readonly<Record<string, string>>): Promise<RouteAnswer> {
  const assessment_type = textParameter(request, 'assessment_type')
  return recordHistory(request, {
    table: TABLE,
    key: assessment_type === null ? key : { ...key, assessment_type },
    grade: 'level',
    id: 'assessment_id',
    show: severityAssessmentOf,
    form: SEVERITY,
  })
}

function getEventSeverity(request: RouteRequest, event_id: string): RouteAnswer | Promise<RouteAnswer> {
  const assessment_type = requiredText(request, 'assessment_type')
  const { assessments } = request.reader
  const series = { table: TABLE, key: { event_id, assessment_type } } as const
  const answer = (row: Row | null, waits: boolean, measured: boolean): RouteAnswer => {
    if (row === null) return { data: notAssessed(event_id, assessment_type, waits) }
    return { data: measured ? severityAssessmentOf(row, true) : severityBytes(row) }
  }
  const whole = isMeasured(request)
  if (request.as_of === null && !whole) {
    const known = assessments.current(series, ALL)
    if (known !== null) return answer(known.placed?.row ?? null, known.waits, false)
  }
  const as_of = request.as_of ?? presentAt(request, TABLE)
  return assessments.inForce(series, { ...ALL, whole }, as_of).then(({ row, waits }) => answer(row, waits, whole))
}

/**
 * Answers with an event that is known at the instant of a request, or one that was assessed without being in the catalogue.
 * @throws {ServiceError} EVENT_NOT_FOUND
 */
function withAssessable(
  request: RouteRequest,
  answer: (event_id: string) => RouteAnswer | Promise<RouteAnswer>,
): RouteAnswer | Promise<RouteAnswer> {
  const { reader, as_of } = request
  const event_id = requiredText(request, 'event_id')
  const catalog = reader.catalog(as_of)
  if (catalog.event(event_id) !== null || reader.assessments.isAssessed(event_id, as_of)) return answer(event_id)
  return withOwnStates(request, (own) => {
    if (own.event(catalog, event_id) === null) throw missing('assessable_event', event_id)
    return answer(event_id)
  })
}

import Type, { type Static } from 'typebox'
import { ServiceError } from '../../primitives/errors.ts'
import { idPattern } from '../../primitives/id-form.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { SEVERITY_COMPONENTS, type SeverityComponent } from '../../vocabulary/severity.ts'
import { type AllowedHosts, givenEvidence } from '../evidence/evidence-item.ts'
import { Amount, At, CLOSED, EvidenceForm, orNull, Share, Text } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { refuseInstant } from '../evidence/refuse-instant.ts'
import { anew } from '../review/plan-records.ts'
import type { ReviewRow, ReviewSubject } from '../review/subject.ts'
import { scoreOf } from './assess.ts'
import { type Forecast, forecast } from './forecast.ts'
import { SEVERITY_PARAMETERS } from './methodology.ts'
import { SEVERITY_METHODOLOGY_REFERENCE } from './severity-record.ts'

const component = orNull(Amount)

/** A forecast as an analyst submits it: scenarios, each with a probability and its components. null: unknown. */
const ForecastFormSchema = Type.Object(
  {
    forecast: Type.Object(
      {
        event_id: Type.String({ pattern: idPattern('evt'), description: 'the id of an event' }),
        horizon_end: At,
        window_start: At,
        window_end: orNull(At),
        effective_from: orNull(At),
        confidence: Share,
        rationale: Text,
      },
      CLOSED,
    ),
    scenarios: Type.Array(
      Type.Object(
        {
          name: Text,
          probability: Share,
          components: Type.Object(
            {
              human: component,
              economic: component,
              infrastructure: component,
              geographic: component,
              geopolitical: component,
              duration: component,
            },
            CLOSED,
          ),
        },
        CLOSED,
      ),
      { minItems: 1, maxItems: 50, description: '1 to 50 scenarios' },
    ),
    evidence: Type.Array(EvidenceForm),
  },
  CLOSED,
)

export type ForecastForm = Static<typeof ForecastFormSchema>

/** Reads a form. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parseForecastForm(text: string, name: string): ForecastForm {
  return readForm(ForecastFormSchema, text, name)
}

/** Returns the scenarios with their scores. @throws {ServiceError} VALIDATION_DEFINITION_INVALID: one has no consequence */
function scenariosOf({ scenarios }: Pick<ForecastForm, 'scenarios'>) {
  return scenarios.map(({ name, probability, components }) => {
    const known = Object.entries(components).filter((entry): entry is [SeverityComponent, string] => entry[1] !== null)
    const score = scoreOf(Object.fromEntries(known), SEVERITY_PARAMETERS)
    if (score !== null) return { probability, score }
    throw new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `components of scenario ${name} name no consequence; allowed: at least one of ${SEVERITY_PARAMETERS.consequences.join(', ')}`,
    )
  })
}

/**
 * Returns the forecast that a form proposes, under review. Its components are not published: each scenario has its own.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID: probabilities that do not sum to exactly 1, a horizon that has ended;
 *   VALIDATION_EVIDENCE_INVALID
 */
export function submittedForecast(
  subject: ReviewSubject,
  form: ForecastForm,
  by: { readonly actor_id: string; readonly act_id: string; readonly now: Micros; readonly hosts: AllowedHosts },
): ReviewRow {
  const { forecast: given } = form
  const horizon = toMicros(given.horizon_end, 'horizon_end')
  if (horizon <= by.now) refuseInstant('horizon_end', horizon, `an instant after now (${formatMicros(by.now)})`)
  const start = toMicros(given.window_start, 'window_start')
  const end = given.window_end === null ? null : toMicros(given.window_end, 'window_end')
  if (end !== null && end < start) refuseInstant('window_end', end, `an instant not before ${formatMicros(start)}`)
  const scenarios = scenariosOf(form)
  const computed: Forecast = forecast(scenarios, SEVERITY_PARAMETERS)
  const rule = { hosts: by.hosts, components: SEVERITY_COMPONENTS, now: by.now }
  return anew(subject, {}, by.act_id, {
    event_id: given.event_id,
    assessment_type: 'forecast',
    level: computed.level,
    score: computed.score,
    score_range: computed.score_range,
    component_scores: Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, null])),
    confidence: given.confidence,
    reason_codes: [],
    rationale: given.rationale,
    event_time_window: { start: formatMicros(start), end: end === null ? null : formatMicros(end) },
    observation_cutoff_at: null,
    forecast_horizon_end: formatMicros(horizon),
    ...SEVERITY_METHODOLOGY_REFERENCE,
    issuer: { kind: 'analyst', issuer_id: by.actor_id, model_version: null },
    evidence: form.evidence.map((item) => givenEvidence(item, rule)),
    effective_from: given.effective_from ?? formatMicros(by.now),
    effective_to: null,
    review_state: 'under_review',
    proposed_by: by.actor_id,
    exceedance: Object.entries(computed.exceedance).map(([level, probability]) => ({ level, probability })),
    scenarios,
    previous_level: null,
    previous_score: null,
  })
}

import type { AllowedHosts } from '../../pipelines/evidence/evidence-item.ts'
import { checkRole } from '../../pipelines/review/acts.ts'
import { submitWish } from '../../pipelines/review/refusal.ts'
import { type ForecastForm, parseForecastForm, submittedForecast } from '../../pipelines/severity/forecast-form.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { checkDocuments } from '../review/check-documents.ts'
import type { Draft } from '../review/describe-act.ts'
import { findHead } from '../review/find-records.ts'
import { type Performed, performAct, type ReviewPorts } from '../review/perform-act.ts'
import { publishAssessmentMethodologies } from '../review/publish-assessment-methodologies.ts'
import { readInput } from '../review/read-input.ts'
import { resubmit } from '../review/resubmit.ts'
import { stampOf } from '../review/review-session.ts'
import { SEVERITY_SUBJECT } from './severity-subject.ts'

/** Hosts of agencies whose documents may be evidence of a forecast. Prices of markets never are. */
export const FORECAST_HOSTS = [
  'earthquake.usgs.gov',
  'usgs.gov',
  'gdacs.org',
  'reliefweb.int',
  'nhc.noaa.gov',
  'weather.gov',
  'who.int',
  'un.org',
]

/**
 * Submits a forecast by a form, for review.
 * @param record_id a forecast of the same actor that was returned, which the form replaces; null: a new one
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_RANGE_INVALID, VALIDATION_EVIDENCE_INVALID, REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT
 */
export async function submitForecast(
  ports: ReviewPorts,
  file: string,
  record_id: string | null = null,
): Promise<Performed> {
  const text = await readInput(file)
  await publishAssessmentMethodologies(ports.warehouse, stampOf(ports.at))
  return performAct(SEVERITY_SUBJECT, ports, submitWish(text, record_id), async (session) => {
    const form: ForecastForm = await checkDocuments(parseForecastForm(text, file), file)
    return forecastDraft(session, form, record_id, FORECAST_HOSTS)
  })
}

/** A forecast by a form, for review. @throws {ServiceError} ASSESSMENT_NOT_FOUND, as `submitForecast` */
export async function forecastDraft(
  session: ReadSession,
  form: ForecastForm,
  record_id: string | null,
  hosts: AllowedHosts,
): Promise<Draft> {
  const head = record_id === null ? null : await findHead(session, SEVERITY_SUBJECT, record_id)
  return {
    act: 'submit',
    subject_id: form.forecast.event_id,
    head,
    details: { form },
    rows: ({ actor, act_id, acted_at }) => {
      checkRole('submit', actor)
      const by = { actor_id: actor.actor_id, act_id, now: acted_at, hosts }
      return [resubmit(SEVERITY_SUBJECT, head, submittedForecast(SEVERITY_SUBJECT, form, by), actor)]
    },
  }
}

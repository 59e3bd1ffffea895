import type { AllowedHosts } from '../../pipelines/evidence/evidence-item.ts'
import { checkRole } from '../../pipelines/review/acts.ts'
import { type ForecastForm, parseForecastForm, submittedForecast } from '../../pipelines/severity/forecast-form.ts'
import { publishMethodology } from '../review/assessment-methodology.ts'
import { checkDocuments } from '../review/check-documents.ts'
import type { Draft } from '../review/describe-act.ts'
import { type Performed, performAct, type ReviewPorts } from '../review/perform-act.ts'
import { readInput } from '../review/read-input.ts'
import { stampOf } from '../review/review-session.ts'
import { SEVERITY_METHODOLOGY_DOCUMENT } from './severity-methodology.ts'
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
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_RANGE_INVALID, VALIDATION_EVIDENCE_INVALID, REVIEW_NOT_ALLOWED
 */
export async function submitForecast(ports: ReviewPorts, file: string): Promise<Performed> {
  const form: ForecastForm = await checkDocuments(parseForecastForm(await readInput(file), file), file)
  await publishMethodology(ports.warehouse, SEVERITY_METHODOLOGY_DOCUMENT, stampOf(ports.at))
  return performAct(SEVERITY_SUBJECT, ports, async () => forecastDraft(form, FORECAST_HOSTS))
}

/** A forecast by a form, for review. */
export function forecastDraft(form: ForecastForm, hosts: AllowedHosts): Draft {
  return {
    act: 'submit',
    subject_id: form.forecast.event_id,
    head: null,
    details: { form },
    rows: ({ actor, act_id, acted_at }) => {
      checkRole('submit', actor)
      return [submittedForecast(SEVERITY_SUBJECT, form, { actor_id: actor.actor_id, act_id, now: acted_at, hosts })]
    },
  }
}

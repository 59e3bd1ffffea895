import type { AllowedHosts } from '../../pipelines/evidence/evidence-item.ts'
import { parseRatingForm } from '../../pipelines/rating/rating-form.ts'
import type { Act } from '../../pipelines/review/acts.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { parseForecastForm } from '../../pipelines/severity/forecast-form.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { ratingDraft, ratingHosts } from '../rating/submit-rating.ts'
import { FORECAST_HOSTS, forecastDraft } from '../severity/submit-forecast.ts'
import type { Draft } from './describe-act.ts'
import { expireDraft, moveDraft, overrideDraft, upholdDraft } from './drafts.ts'

/** Hosts whose documents may be evidence. */
type Listed = { readonly hosts?: AllowedHosts | null; readonly facts?: string | null }

/**
 * Derives the effect of an act from its text and the session: the same that was decided originally.
 * @param listed hosts of evidence, or the facts that name them; without either, the hosts named by the published facts
 * @throws {ServiceError} the errors of the act's own operation; VALIDATION_DEFINITION_INVALID: details that do not belong to the act
 */
export async function draftOfAct(
  session: ReadSession,
  subject: ReviewSubject,
  { act, record_id, details }: Act,
  listed: Listed = {},
): Promise<Draft> {
  if (act === 'submit') return submitDraft(session, subject, { record_id, form: details.form, ...listed })
  const on = recordOf(act, record_id)
  switch (act) {
    case 'override':
      return overrideDraft(session, subject, {
        record_id: on,
        proposed_value: textOf(details, 'proposed_value'),
        reason_code: textOf(details, 'reason_code'),
        narrative: textOf(details, 'narrative'),
        starts_at: toMicros(details.starts_at, 'starts_at'),
        expires_at: toMicros(details.expires_at, 'expires_at'),
      })
    case 'uphold_dispute':
      return upholdDraft(session, subject, {
        record_id: on,
        grade: textOf(details, subject.grade_field),
        text: textOf(details, 'text'),
        until: details.until === null ? null : toMicros(details.until, 'until'),
      })
    case 'expire':
      return expireDraft(session, subject, on)
    default:
      return moveDraft(session, subject, {
        act,
        record_id: on,
        text: details.text === undefined ? null : textOf(details, 'text'),
      })
  }
}

type Submitted = Listed & { readonly record_id: string | null; readonly form: unknown }

async function submitDraft(session: ReadSession, subject: ReviewSubject, { record_id, form, hosts, facts }: Submitted) {
  const text = canonicalJson(form ?? null)
  if (subject.table === 'severity_assessment')
    return forecastDraft(session, parseForecastForm(text, 'form'), record_id, hosts ?? FORECAST_HOSTS)
  return ratingDraft(session, parseRatingForm(text, 'form'), record_id, hosts ?? (await ratingHosts(facts)))
}

function recordOf(act: string, record_id: string | null): string {
  if (record_id !== null) return record_id
  throw invalid('record_id', null, `the id of the record to ${act}`)
}

function textOf(details: Act['details'], field: string): string {
  const value = details[field]
  if (typeof value === 'string') return value
  throw invalid(field, value, 'a text')
}

function invalid(field: string, value: unknown, allowed: string): ServiceError {
  const message = `${field} of the act is ${JSON.stringify(value) ?? 'missing'}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_DEFINITION_INVALID', message, { field })
}

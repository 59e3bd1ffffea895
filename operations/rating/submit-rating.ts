import type { AllowedHosts } from '../../pipelines/evidence/evidence-item.ts'
import { parseRatingForm, type RatingForm, submittedRating } from '../../pipelines/rating/rating-form.ts'
import type { VenueFacts } from '../../pipelines/rating/venue-facts.ts'
import { checkRole } from '../../pipelines/review/acts.ts'
import { submitWish } from '../../pipelines/review/refusal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { checkDocuments } from '../review/check-documents.ts'
import type { Draft } from '../review/describe-act.ts'
import { findHead } from '../review/find-records.ts'
import { type Performed, performAct, type ReviewPorts } from '../review/perform-act.ts'
import { publishAssessmentMethodologies } from '../review/publish-assessment-methodologies.ts'
import { readInput } from '../review/read-input.ts'
import { resubmit } from '../review/resubmit.ts'
import { stampOf } from '../review/review-session.ts'
import { loadScoring } from './load-scoring.ts'
import { RATING_SUBJECT } from './rating-subject.ts'

/**
 * Submits a rating by a form, for review.
 * @param record_id a record of the same actor that was returned, which the form replaces; null: a new one
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_EVIDENCE_INVALID, REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT
 */
export async function submitRating(
  ports: ReviewPorts,
  request: { readonly file: string; readonly record_id: string | null },
): Promise<Performed> {
  const { file, record_id } = request
  const text = await readInput(file)
  const hosts = await ratingHosts(ports.facts)
  await publishAssessmentMethodologies(ports.warehouse, stampOf(ports.at))
  return performAct(RATING_SUBJECT, ports, submitWish(text, record_id), async (session) =>
    ratingDraft(session, await checkDocuments(parseRatingForm(text, file), file), record_id, hosts),
  )
}

/** Hosts whose documents may be evidence of a rating: those that the facts name. @param facts null: the published ones */
export async function ratingHosts(facts: string | null = null): Promise<readonly string[]> {
  return hostsOf((await loadScoring({ facts, rubric: null })).facts)
}

/** A rating by a form, for review. @throws {ServiceError} RATING_NOT_FOUND, as `submitRating` */
export async function ratingDraft(
  session: ReadSession,
  form: RatingForm,
  record_id: string | null,
  hosts: AllowedHosts,
): Promise<Draft> {
  const head = record_id === null ? null : await findHead(session, RATING_SUBJECT, record_id)
  return {
    act: 'submit',
    subject_id: form.rating.market_id,
    head,
    details: { form },
    rows: ({ actor, act_id, acted_at }) => {
      checkRole('submit', actor)
      checkKind(form, actor)
      const submitted = submittedRating(RATING_SUBJECT, form, {
        actor_id: actor.actor_id,
        act_id,
        now: acted_at,
        hosts,
      })
      return [resubmit(RATING_SUBJECT, head, submitted, actor)]
    },
  }
}

/** A committee's record is issued by a member of the committee. */
function checkKind(
  { rating }: RatingForm,
  actor: { readonly actor_id: string; readonly roles: readonly string[] },
): void {
  if (actor.roles.includes(rating.kind)) return
  throw new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor.actor_id} with the roles ${actor.roles.join(', ')}; allowed to submit a record of kind ${rating.kind}: ${rating.kind}`,
    { field: 'kind', value: rating.kind },
  )
}

/** Hosts that the facts name: evidence of other hosts is refused. */
function hostsOf({ venues, sources }: VenueFacts): string[] {
  const uris = [...venues, ...sources].map(({ source_uri }) => source_uri)
  const hosts = uris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).hostname.replace(/^www\./, ''))
  return [...new Set(hosts)].filter((host) => host !== '').sort()
}

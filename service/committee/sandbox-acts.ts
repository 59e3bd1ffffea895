import { RATING_SUBJECT } from '../../operations/rating/rating-subject.ts'
import { submitRating } from '../../operations/rating/submit-rating.ts'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { moveRecord, proposeOverride, upholdDispute } from '../../operations/review/review.ts'
import { SEVERITY_SUBJECT } from '../../operations/severity/severity-subject.ts'
import { submitForecast } from '../../operations/severity/submit-forecast.ts'
import type { ActName } from '../../pipelines/review/acts.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { AssessmentType } from '../../vocabulary/severity.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { SandboxMember } from './open-committee.ts'
import { HOLDS, writeForecastForm, writeRatingForm } from './sandbox-forms.ts'

/** Subjects of the sandbox committee: markets and events of the simulated world. */
const SANDBOX_SUBJECTS = ['reviewed', 'overridden', 'disputed', 'proposed', 'worst_event', 'other_event'] as const
export type SandboxSubject = (typeof SANDBOX_SUBJECTS)[number]

/** State of a market or event before an act. */
type Known = {
  /** Current record. */
  readonly current: Row
  /** Newest revision of each record. */
  readonly heads: readonly Row[]
  readonly home: string
}

/** One act of the sandbox committee; an act on record is never repeated. */
export type SandboxAct = {
  readonly on: SandboxSubject
  readonly by: SandboxMember
  readonly act: ActName
  readonly assessment_type: AssessmentType
  readonly perform: (ports: ReviewPorts, known: Known) => Promise<unknown>
}

const act = (
  on: SandboxSubject,
  by: SandboxMember,
  name: ActName,
  perform: SandboxAct['perform'],
  assessment_type: AssessmentType = 'observed',
): SandboxAct => ({ on, by, act: name, assessment_type, perform })

/** Acts of the sandbox committee in order: at least one of every kind. */
export const SANDBOX_ACTS: readonly SandboxAct[] = [
  act('reviewed', 'analyst', 'submit', async (ports, { current, home }) => {
    const file = await writeRatingForm(home, current, await ports.warehouse.now())
    return submitRating(ports, { file, record_id: null })
  }),
  act('reviewed', 'member', 'approve', approve(RATING_SUBJECT)),
  act('overridden', 'analyst', 'override', override('MR4', 'SOURCE_LATE', 'the source has announced a late release')),
  act('overridden', 'member', 'approve', approve(RATING_SUBJECT)),
  act('disputed', 'observer', 'dispute', (ports, { current }) =>
    moveRecord(RATING_SUBJECT, ports, {
      act: 'dispute',
      record_id: String(current.rating_id),
      text: 'Simulated. The books of the hour were made by one trader, so they say little of what a buyer would find.',
    }),
  ),
  act('disputed', 'member', 'uphold_dispute', async (ports, { current }) =>
    upholdDispute(RATING_SUBJECT, ports, {
      record_id: String(current.rating_id),
      grade: 'MR4',
      text: 'Simulated. The filer is right: one trader alone is no market that others could rely on.',
      until: formatMicros((await ports.warehouse.now()) + HOLDS),
    }),
  ),
  act(
    'proposed',
    'analyst',
    'override',
    override('MR5', 'RULES_UNCLEAR', 'two readings of the rules lead to two outcomes'),
  ),
  act('worst_event', 'member', 'approve', approve(SEVERITY_SUBJECT)),
  act(
    'worst_event',
    'analyst',
    'submit',
    async (ports, { current, home }) =>
      submitForecast(ports, await writeForecastForm(home, current, await ports.warehouse.now())),
    'forecast',
  ),
  act('worst_event', 'second', 'approve', approve(SEVERITY_SUBJECT), 'forecast'),
  act('other_event', 'observer', 'dispute', (ports, { current }) =>
    moveRecord(SEVERITY_SUBJECT, ports, {
      act: 'dispute',
      record_id: String(current.assessment_id),
      text: 'Simulated. The loss estimate was made before the landslide was known.',
    }),
  ),
]

/** Approves the waiting record. */
function approve(subject: ReviewSubject): SandboxAct['perform'] {
  return async (ports, { heads }) => {
    const waiting = heads.findLast(({ review_state }) => review_state === 'under_review')
    if (waiting === undefined) return
    const record_id = String(waiting[subject.id_field])
    return moveRecord(subject, ports, { act: 'approve', record_id, text: null })
  }
}

function override(proposed_value: string, reason_code: string, why: string): SandboxAct['perform'] {
  return async (ports, { current }) =>
    proposeOverride(RATING_SUBJECT, ports, {
      record_id: String(current.rating_id),
      proposed_value,
      reason_code,
      narrative: `Simulated: ${why}.`,
      starts_at: null,
      expires_at: formatMicros((await ports.warehouse.now()) + HOLDS),
    })
}

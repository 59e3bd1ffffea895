import { actOnComplaint, type ComplaintWish } from '../../../operations/notices/act-on-complaint.ts'
import type { ComplaintBox } from '../../../operations/notices/complaint-box.ts'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import type { RecordedStep, RecordedSteps } from '../../../operations/sample/recorded-steps.ts'
import type { FiledComplaint } from '../../../pipelines/notices/complaint.ts'
import { deriveId } from '../../../primitives/ids.ts'
import type { Instant } from '../../../primitives/instants.ts'
import { type Committee, type SandboxMember, sandboxActor } from '../open-committee.ts'
import { STORY_INDEX } from './story-acts.ts'

/** Complaint of the story, about the level of 09:00 on 5 December. */
const COMPLAINT: FiledComplaint = {
  complaint_id: deriveId('cmp', STORY_INDEX, '2025-12-05T15:00:00Z'),
  filed_at: '2025-12-05T15:00:00Z',
  subject_kind: 'index',
  subject_id: STORY_INDEX,
  text: 'Simulated. The level of 09:00 follows a resolution that Manifold took back an hour later. Our note was fixed on it.',
  contact: null,
}

const OUTCOME =
  'Simulated. The payout was withdrawn, so the level is wrong. It was found too late for a correction without a vote.'

/** Instants at which notices of the first part of the story are published: five minutes after it made news, as a service does. */
const NEWS: readonly Instant[] = [
  '2025-12-01T08:05:00Z',
  '2025-12-02T09:25:00Z',
  '2025-12-02T10:25:00Z',
  '2025-12-03T08:15:00Z',
  '2025-12-03T11:15:00Z',
  '2025-12-04T23:05:00Z',
  '2025-12-05T13:05:00Z',
]

const news = (at: Instant): RecordedStep => ({ at, perform: (warehouse) => publishNotices(warehouse) })

/** Notices of the story's first part: only published levels tell which of them are due. */
export function storyNotices(): RecordedSteps {
  return { tables: ['governance_notice'], steps: NEWS.map(news) }
}

/** Second part of the story: a complaint about a level, its outcome, and the correction. */
export function storyAfterLevels({ signers }: Committee): RecordedSteps {
  const acts = (at: Instant, by: SandboxMember, wish: ComplaintWish): RecordedStep => ({
    at,
    perform: (warehouse) => actOnComplaint({ warehouse, box: BOX }, signers[by], COMPLAINT.complaint_id, wish),
  })
  return {
    tables: ['governance_act', 'governance_complaint', 'governance_notice'],
    steps: [
      acts('2025-12-05T16:00:00Z', 'member', { act: 'publish_complaint', text: null }),
      acts('2025-12-05T17:00:00Z', 'oversight', { act: 'assign_complaint', handler: sandboxActor('ombuds') }),
      acts('2025-12-06T19:40:00Z', 'ombuds', { act: 'resolve_complaint', outcome: 'upheld', reason: OUTCOME }),
    ],
  }
}

/** Box with the complaint of the story, which no file of the home holds: it was moderated in the past. */
const BOX: ComplaintBox = {
  file: async () => undefined,
  list: async () => [],
  read: async () => COMPLAINT,
  close: async () => undefined,
}

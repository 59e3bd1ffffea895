import { actOnComplaint, type ComplaintWish } from '../../../operations/notices/act-on-complaint.ts'
import type { ComplaintBox } from '../../../operations/notices/complaint-box.ts'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import type { RecordedStep, RecordedSteps } from '../../../operations/sample/recorded-steps.ts'
import type { FiledComplaint } from '../../../pipelines/notices/complaint.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { deriveId } from '../../../primitives/ids.ts'
import type { Instant } from '../../../primitives/instants.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { type Committee, type SandboxMember, sandboxActor } from '../open-committee.ts'
import { newestProposal, proposesFile, STORY_INDEX, votes, whenDue } from './story-acts.ts'

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
  'Simulated. The payout was withdrawn, so the level is wrong. A correction so late needs a vote: a restatement is proposed.'
const RESTATEMENT =
  'Simulated. Manifold took its resolution back an hour later. The level is recomputed without it, as the complaint asks.'

/** Instants at which notices of the first part of the story are published: five minutes after what they announce, as by a service. */
const NEWS: readonly Instant[] = [
  '2025-12-02T09:25:00Z',
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

/** Second part of the story: a complaint about a level, its outcome, and the restatement that it leads to. */
export function storyAfterLevels({ signers }: Committee): RecordedSteps {
  const handles = (at: Instant, by: SandboxMember, wishIn: (warehouse: Warehouse) => Promise<ComplaintWish>) => ({
    at,
    perform: async (warehouse: Warehouse) =>
      actOnComplaint({ warehouse, box: BOX }, signers[by], COMPLAINT.complaint_id, await wishIn(warehouse)),
  })
  const vote = (at: Instant, by: SandboxMember) => votes('restatement', signers, { at, by })
  return {
    tables: ['governance_act', 'governance_complaint', 'governance_notice', 'refused_act'],
    steps: [
      handles('2025-12-05T16:00:00Z', 'member', async () => ({ act: 'publish_complaint', text: null })),
      refused(handles('2025-12-05T16:30:00Z', 'member', async () => assignTo('third'))),
      handles('2025-12-05T17:00:00Z', 'oversight', async () => assignTo('ombuds')),
      proposesFile(signers, { at: '2025-12-06T19:30:00Z', file: 'restate-vote.yaml', rationale: RESTATEMENT }),
      handles('2025-12-06T19:40:00Z', 'ombuds', async (warehouse) => ({
        ...{ act: 'resolve_complaint', outcome: 'upheld', reason: OUTCOME },
        proposal_id: await newestProposal(warehouse, 'restatement'),
      })),
      vote('2025-12-06T20:00:00Z', 'member'),
      vote('2025-12-06T20:10:00Z', 'second'),
      vote('2025-12-06T20:20:00Z', 'oversight'),
      whenDue('2025-12-07T09:30:00Z'),
      news('2025-12-07T09:35:00Z'),
      whenDue('2025-12-07T23:30:00Z'),
      news('2025-12-07T23:35:00Z'),
    ],
  }
}

function assignTo(member: SandboxMember): ComplaintWish {
  return { act: 'assign_complaint', handler: sandboxActor(member) }
}

/** An act that is refused, on record: who took part in a matter may not handle a complaint about it. */
function refused({ at, perform }: RecordedStep): RecordedStep {
  return {
    at,
    perform: (warehouse) =>
      perform(warehouse).catch((error: unknown) => {
        if (!isServiceError(error, 'REVIEW_NOT_ALLOWED')) throw error
      }),
  }
}

/** Box with the complaint of the story, which no file of the home holds: it was moderated in the past. */
const BOX: ComplaintBox = {
  file: async () => undefined,
  list: async () => [],
  read: async () => COMPLAINT,
  close: async () => undefined,
}

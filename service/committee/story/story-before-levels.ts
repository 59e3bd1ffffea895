import { adoptionOf } from '../../../operations/governance/change-of-file.ts'
import type { RecordedSteps } from '../../../operations/sample/recorded-steps.ts'
import { governSandbox } from '../govern-sandbox.ts'
import type { Committee } from '../open-committee.ts'
import { actsOn, proposes, proposesFile, STORY_INDEX, signsImpact, votes, whenDue } from './story-acts.ts'

/** Part of the week that the impact of the change compares. */
const COMPARED = { from: '2025-12-01T06:00:00Z', to: '2025-12-04T08:00:00Z' } as const

const ADOPTION = 'Simulated. Its users ask who may change the index, and how they hear of it.'
const SUSPENSION =
  'Simulated. One account moved the election on Manifold by a fifth within minutes. Until it is known why, no level is published.'
const CHANGE =
  'Simulated. Manifold has three fifths of the weight, so one wrong price or resolution moves the index by half.'
const COMMENT = 'Simulated. We hold notes on this index. Fourteen hours of notice are enough for us.'
const DISSENT =
  'Simulated. Manifold trades most of this election. An index that gives it one fifth follows the market too late.'

/**
 * Acts of the story that decide which levels are published: a roster, an adoption, an emergency that lapses, and a material change
 * with its impact, a dissent and a notice.
 */
export function storyBeforeLevels(committee: Committee): RecordedSteps {
  const { signers } = committee
  const impact = { file: 'vote-2.yaml' }
  return {
    tables: ['governance_act', 'governance_proposal', 'governance_roster', 'governance_policy'],
    steps: [
      { at: '2025-12-01T08:00:00Z', perform: (warehouse) => governSandbox(warehouse, committee) },
      proposes(signers, {
        at: '2025-12-02T09:00:00Z',
        content: (warehouse) => adoptionOf(warehouse, STORY_INDEX),
        rationale: ADOPTION,
      }),
      votes('index_adoption', signers, { at: '2025-12-02T09:20:00Z', by: 'member' }),
      whenDue('2025-12-02T10:20:00Z'),
      proposesFile(signers, {
        at: '2025-12-03T08:00:00Z',
        file: 'suspend-vote.yaml',
        rationale: SUSPENSION,
        emergency: 'SUSPECTED_MANIPULATION',
      }),
      votes('index_status', signers, { at: '2025-12-03T08:05:00Z', by: 'second' }),
      votes('index_status', signers, { at: '2025-12-03T08:10:00Z', by: 'oversight' }),
      whenDue('2025-12-03T11:10:00Z'),
      signsImpact(signers.runner, { ...impact, at: COMPARED.to, engine: 'exact' }, COMPARED),
      signsImpact(signers.second_runner, { ...impact, at: '2025-12-04T08:10:00Z', engine: 'reference' }, COMPARED),
      proposesFile(signers, { ...impact, at: '2025-12-04T09:00:00Z', rationale: CHANGE }),
      actsOn('index_version', signers, {
        at: '2025-12-04T10:00:00Z',
        by: 'observer',
        act: 'comment',
        details: { text: COMMENT },
      }),
      votes('index_version', signers, { at: '2025-12-04T12:00:00Z', by: 'member' }),
      votes('index_version', signers, { at: '2025-12-04T14:00:00Z', by: 'third', against: DISSENT }),
      votes('index_version', signers, { at: '2025-12-04T15:00:00Z', by: 'second' }),
      votes('index_version', signers, { at: '2025-12-04T16:00:00Z', by: 'oversight' }),
      whenDue('2025-12-04T23:00:00Z'),
      whenDue('2025-12-05T13:00:00Z'),
    ],
  }
}

import { describe, expect, test } from 'vitest'
import { judgeVersion, type StatedVersion } from '../../../client/everything/judge-version.ts'
import type { ReplayedGovernance } from '../../../client/everything/replay-acts.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'

const DAY = (n: number) => toMicros('2026-03-01T00:00:00Z') + n * MICROS_PER_DAY
const at = (n: number) => formatMicros(DAY(n))
const DEFINITION = { constituents: [{ constituent_id: 'con_a', target_weight: '1' }], calculation_frequency: 'P1D' }

/** Proposed on day 0, approved on day 2, announced then, in effect on day 16, published then. */
const PROPOSAL = {
  proposal_id: 'prp_1',
  target: 'idx_a',
  kind: 'index_version',
  state: 'effective',
  effective_at: DAY(16),
  rule: { committee: 2, oversight: 1, comment: 'PT0S', vote: 'PT0S', notice: 'P14D' },
  content: { index_id: 'idx_a', definition: { ...DEFINITION, version: '2', effective_from: at(17) } },
} as unknown as Proposal
const ACTS: Readonly<Record<string, number>> = { approve: 2, queue: 2, activate: 16 }
const VERSION: StatedVersion = {
  index_id: 'idx_a',
  index_version_id: 'idv_2',
  version: '2',
  published_at: at(16),
  governance: 'governed',
  proposal_id: 'prp_1',
  approved_at: at(2),
  announced_at: at(2),
  effective_at: at(16),
  definition: { ...DEFINITION, version: '2', effective_from: at(17) },
}

function governance(
  proposal: Partial<Proposal> = {},
  acts: Readonly<Record<string, number>> = ACTS,
): ReplayedGovernance {
  const proposals = new Map([['prp_1', { ...PROPOSAL, ...proposal } as Proposal]])
  const recordedAt = (_id: string, act: string) => (acts[act] === undefined ? null : DAY(acts[act]))
  return { state: { ...NO_GOVERNANCE, proposals }, history: new Map(), recordedAt, heldAt: () => null }
}

const judged = (version: Partial<StatedVersion>, first_use = 17, given = governance()) =>
  judgeVersion({ ...VERSION, ...version }, given, DAY(first_use))

describe('a version', () => {
  test('that was approved and announced before its first level stands', () => {
    expect(judged({})).toEqual({ kind: 'governed', approved: null, announced: null })
    expect(judgeVersion(VERSION, governance(), null)).toMatchObject({ approved: null, announced: null })
  })

  test('of which the service does not say who decided it is unknown', () => {
    const { governance: _left_out, ...silent } = VERSION
    expect(judgeVersion(silent, governance(), DAY(17)).kind).toBe('unknown')
  })

  test('that one person applied is ungoverned, unless its index was governed before', () => {
    const applied = { governance: 'none', proposal_id: null, approved_at: null }
    expect(judged({ ...applied, published_at: at(3) })).toEqual({ kind: 'ungoverned', approved: null, announced: null })
    expect(judged({ ...applied, published_at: at(20) }).approved).toContain('after prp_1 had put the index')
  })

  test('whose constituents were proposed in another order stands', () => {
    const [a, b] = ['con_a', 'con_b'].map((constituent_id) => ({ constituent_id, target_weight: '0.5' }))
    const content = { ...PROPOSAL.content, definition: { ...DEFINITION, version: '2', constituents: [b, a] } }
    const served = (constituents: unknown[]) =>
      judged({ definition: { ...DEFINITION, constituents } }, 17, governance({ content } as Partial<Proposal>))
    expect(served([a, b]).approved).toBeNull()
    expect(served([a, { ...b, target_weight: '0.6' }]).approved).toContain('constituents is not as')
    expect(served([a]).approved).toContain('constituents is not as')
  })

  test('that returns after an emergency has the definition of its base under another name', () => {
    const returned = { version: '2-after-prp', definition: { ...VERSION.definition, version: '2-after-prp' } }
    const lapsed = (hash: string | null) => {
      const given = governance({}, { ...ACTS, lapse: 17 })
      const emergency = { ...PROPOSAL, proposal_id: 'prp_2', state: 'lapsed', returned: { hash } } as Proposal
      const proposals = new Map([...given.state.proposals, ['prp_2', emergency] as const])
      return { ...given, state: { ...given.state, proposals } }
    }
    const base = recordHash(PROPOSAL.content)
    expect(judged(returned, 17, lapsed(base))).toMatchObject({ approved: null, announced: null })
    const none = 'its name is 2-after-prp, and no emergency lapsed over prp_1, which proposed 2'
    expect(judged(returned).approved).toBe(none)
    expect(judged(returned, 17, lapsed('b'.repeat(64))).approved).toBe(none)
    expect(judged(returned, 16, lapsed(base)).approved).toBe(none)
  })

  test.each([
    ['names no proposal', { proposal_id: null }, 'no such proposal'],
    ['names an unknown proposal', { proposal_id: 'prp_2' }, 'no such proposal'],
    ['is of another index', { index_id: 'idx_b' }, 'is about idx_a'],
    ['has other weights', { definition: { ...VERSION.definition, constituents: [] } }, 'constituents is not as'],
    ['has a further part', { definition: { ...VERSION.definition, caps: {} } }, 'caps is not as'],
    ['states another approval', { approved_at: at(1) }, 'the acts say'],
  ] as const)('that %s is rejected', (_name, version, fault) => {
    expect(judged(version).approved).toContain(fault)
  })

  test.each([
    ['was never approved', { queue: 2, activate: 16 }, 17, 'never approved'],
    ['never took effect', { approve: 2, queue: 2 }, 17, 'never took effect'],
    ['was used before it was approved', ACTS, 1, 'it was approved'],
    ['was used before it took effect', ACTS, 10, 'it was put in force'],
  ] as const)('that %s is rejected', (_name, acts, first_use, fault) => {
    expect(judged({}, first_use, governance({}, acts)).approved).toContain(fault)
  })

  test.each([
    ['was never announced', {}, governance({}, { approve: 2, activate: 16 }), 17, 'never announced'],
    ['states another announcement', { announced_at: at(0) }, governance(), 17, 'announced_at is'],
    ['states another end of its notice', { effective_at: at(3) }, governance(), 17, 'effective_at is'],
    [
      'has a notice that ended early',
      { effective_at: at(5) },
      governance({ effective_at: DAY(5) }),
      17,
      'its notice of P14D',
    ],
    [
      'was announced after it took effect',
      { announced_at: at(20) },
      governance({}, { ...ACTS, queue: 20 }),
      21,
      'its notice of P14D',
    ],
    ['was used before it was announced', {}, governance(), 1, 'it was announced'],
    ['was used before its notice ended', {}, governance(), 15, 'it was in effect'],
  ] as const)('that %s is rejected', (_name, version, given, first_use, fault) => {
    expect(judged(version, first_use, given).announced).toContain(fault)
  })
})

import { describe, expect, test } from 'vitest'
import type { PolicyDocument } from '../../../pipelines/governance/documents.ts'
import { checkIndexChange } from '../../../pipelines/governance/index-change.ts'
import {
  approvedRevisions,
  awaitsVotes,
  faultOfRevision,
  HELD_BY_APPROVAL,
  holdsCorrections,
  isLate,
  needsVote,
  type PublishedRevision,
  restatedLevels,
} from '../../../pipelines/governance/late-revision.ts'
import { checkPolicy, type PolicyContent, parsePolicy } from '../../../pipelines/governance/policy.ts'
import {
  type Change,
  type GovernanceState,
  NO_GOVERNANCE,
  type Proposal,
} from '../../../pipelines/governance/proposal.ts'
import { ruleOf } from '../../../pipelines/governance/propose.ts'
import { readRestatement } from '../../../pipelines/governance/restatement.ts'
import { decideRestatement } from '../../../pipelines/index/correction.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { RESTATED_TICKS_MAX, type RosterRole } from '../../../vocabulary/governance.ts'
import { parameters } from '../../support/index-world.ts'

const { restate } = parameters()
const TICK = toMicros('2026-01-02T00:00:00Z')
const HOUR = MICROS_PER_DAY / 24

const tick = { tick_at: formatMicros(TICK), supersedes_id: 'iob_a', old_level: '50.0000', new_level: '55.0000' }
const CONTENT = {
  ...{ index_id: 'idx_a', from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z', cause: 'LATE_DATA' },
  ...{ as_of: '2026-01-10T00:00:00Z', ticks: [{ ...tick, quality_state: 'valid' }] },
} as const

describe('the content of a restatement', () => {
  const read = (change: object) => () => readRestatement({ ...CONTENT, ...change } as never)
  const withTick = (change: object) => read({ ticks: [{ ...CONTENT.ticks[0], ...change }] })

  test('is complete', () => {
    expect(read({})()).toEqual(CONTENT)
    expect(withTick({ supersedes_id: null, old_level: null })).not.toThrow()
  })

  test.each([
    ['no levels', read({ ticks: [] }), 'ticks is 0'],
    ['too many levels', read({ ticks: Array(RESTATED_TICKS_MAX + 1).fill(CONTENT.ticks[0]) }), 'ticks is 1441'],
    ['ticks that are no list', read({ ticks: 'all' }), 'ticks is "all"'],
    ['a tick that is no object', read({ ticks: ['x'] }), 'ticks is "x"'],
    ['a tick twice', read({ ticks: [CONTENT.ticks[0], CONTENT.ticks[0]] }), 'each once, in their order'],
    ['a tick after the range', withTick({ tick_at: CONTENT.to }), 'instants of the range'],
    ['a tick before the range', withTick({ tick_at: '2025-12-31T00:00:00Z' }), 'instants of the range'],
    ['an instant in another spelling', withTick({ tick_at: '2026-01-02T00:00:00.0Z' }), 'tick_at is'],
    ['a level as a number', withTick({ new_level: 55 }), 'new_level is 55'],
    ['an unknown state', withTick({ quality_state: 'good' }), 'quality_state is "good"'],
    ['a further field of a tick', withTick({ reason: 'x' }), 'fields of tick is'],
    ['a further field', read({ note: 'x' }), 'fields of content is'],
    ['an unknown cause', read({ cause: 'WHIM' }), 'cause is "WHIM"'],
    ['an empty range', read({ to: CONTENT.from }), 'to is'],
    ['no knowledge', read({ as_of: null }), 'as_of is null'],
  ])('has not %s', (_name, act, message) => {
    expect(act).toThrow(message)
    expect(act).toThrow(expect.objectContaining({ code: 'VALIDATION_DEFINITION_INVALID' }))
  })
})

const revision = (age: Micros, change: Partial<PublishedRevision> = {}): PublishedRevision => ({
  ...tick,
  quality_state: 'valid',
  published_at: formatMicros(TICK + age),
  ...change,
})

describe('a revision of a governed index', () => {
  test('needs a vote after the window and the time of its publication, unless it is small', () => {
    expect(needsVote(revision(restate.window + HOUR), restate)).toBe(false)
    expect(needsVote(revision(restate.window + HOUR + 1), restate)).toBe(true)
    expect(needsVote(revision(9 * restate.window, { new_level: '50.0499' }), restate)).toBe(false)
    expect(needsVote(revision(9 * restate.window, { new_level: null }), restate)).toBe(true)
  })

  test('is late exactly when a revision of any size would need one', () => {
    for (const age of [0, restate.window, restate.window + HOUR, restate.window + HOUR + 1, 40 * MICROS_PER_DAY])
      expect(isLate(revision(age), restate)).toBe(needsVote(revision(age, { old_level: null }), restate))
  })

  test('needs a vote whenever the methodology sends its correction to the committee an hour earlier', () => {
    for (let n = 0; n < 500; n += 1) {
      const age = ((n * 7919) % 97) * HOUR
      const [old_level, new_level] = [
        (n * 31) % 11 === 0 ? null : '50.0000',
        `50.0${String((n * 37) % 1000).padStart(3, '0')}`,
      ]
      const change = { old_level, new_level, tick_at: TICK, detected_at: TICK + age - HOUR }
      const expected = decideRestatement(change, restate) === 'committee'
      expect(needsVote(revision(age, { old_level, new_level }), restate)).toBe(expected)
    }
  })

  const approvedBy = (activated_at: Micros | null, kind = 'restatement') => {
    const proposal = { kind, proposal_id: 'prp_a', content: CONTENT } as unknown as Proposal
    return approvedRevisions([proposal], () => activated_at).get('iob_a')
  }

  test('is approved with just its value, from the activation on', () => {
    const approved = approvedBy(TICK)
    expect(faultOfRevision(revision(1), approved)).toBeNull()
    expect(faultOfRevision(revision(1, { new_level: '56.0000' }), approved)).toContain(
      'new_level 56.0000; prp_a approved 55',
    )
    expect(faultOfRevision(revision(1, { quality_state: 'stale' }), approved)).toContain('quality_state')
    expect(faultOfRevision(revision(1, { tick_at: CONTENT.from }), approved)).toContain('tick_at')
    expect(faultOfRevision(revision(-1), approved)).toBe('restated before prp_a took effect')
  })

  test('and its approval are one level restated late; one in time, or of an unknown version, is none', () => {
    const of = (supersedes_id: string, age: Micros, rule: typeof restate | null = restate) => {
      return { revision: { ...revision(age), supersedes_id }, restate: rule }
    }
    const [late, soon] = [90 * 24 * HOUR, HOUR]
    const revisions = [of('iob_a', late), of('iob_b', late), of('iob_c', soon), of('iob_d', late, null)]
    expect([...restatedLevels(revisions, ['iob_a', 'iob_e'])].sort()).toEqual(['iob_a', 'iob_b', 'iob_e'])
    expect([...restatedLevels(revisions, [])].sort()).toEqual(['iob_a', 'iob_b'])
  })

  test.each([
    ['a proposal that has not taken effect', approvedBy(null)],
    ['a proposal of another kind', approvedBy(TICK, 'methodology')],
    ['none', undefined],
  ])('is not approved by %s', (_name, approved) => {
    expect(faultOfRevision(revision(1), approved)).toBe('restated late, and no proposal in force approved it')
  })
})

const RULE = { committee: 2, oversight: 1, comment: 'PT0S', vote: 'PT0S', notice: 'P1D' }
const POLICY: PolicyContent = {
  classes: {
    ...{ text: { ...RULE, oversight: 0 }, parameter: RULE, material: { ...RULE, notice: 'P14D' } },
    ...{ emergency: RULE, policy: RULE },
  },
  ...{ proposal_lifetime: 'P90D', late_window: 'PT24H', late_extension: 'PT48H', emergency_lapse: 'PT72H' },
}

test.each([
  ['approved', true],
  ['queued', true],
  ['consulting', false],
  ['vetoed', false],
] as const)('late corrections of an index whose adoption is %s await a vote: %s', (state, expected) => {
  const adoption = {
    proposal_id: 'prp_a',
    kind: 'index_adoption',
    target: 'idx_a',
    state,
    effective_at: TICK,
  } as unknown as Proposal
  const governance = { ...NO_GOVERNANCE, proposals: new Map([['prp_a', adoption]]) }
  expect(awaitsVotes(governance, 'idx_a')).toBe(expected)
  expect(awaitsVotes(governance, 'idx_b')).toBe(false)
  const change = {
    kind: 'restatement',
    base_hash: null,
    content: { index_id: 'idx_a' },
    emergency: null,
  } as unknown as Change
  const allowed = expected
    ? /^index idx_a is not governed yet; allowed: this proposal once its adoption prp_a is in force, at 2026-/
    : 'index idx_a is not governed; allowed: tidemark index correct, without a vote'
  expect(() => checkIndexChange(governance, change)).toThrow(allowed)
})

test('an approval holds late corrections if it says so; those of earlier releases do not', () => {
  const act = { act: 'approve', kind: 'index_adoption', details: { since: '2026-01-02T00:00:00Z', reason: null } }
  expect(holdsCorrections(act as never)).toBe(false)
  const stated = { ...act, details: { ...act.details, ...HELD_BY_APPROVAL } }
  expect(holdsCorrections(stated as never)).toBe(true)
  expect(holdsCorrections({ ...stated, kind: 'index_version' } as never)).toBe(false)
})

describe('the class of a late restatement', () => {
  const stateWith = (classes: PolicyContent['classes']) => {
    const document = { ...POLICY, classes } as unknown as PolicyDocument
    return { ...NO_GOVERNANCE, policies: [{ document }] } as unknown as GovernanceState
  }
  const rule = { ...RULE, notice: 'P2D' }
  const people = ['committee', 'committee', 'oversight'].map((role) => ({ roles: [role as RosterRole] }))

  test('is ruled by the policy, else as a material change', () => {
    const change = { content: CONTENT as never }
    expect(ruleOf(stateWith(POLICY.classes), 'late_restatement', change)).toEqual(POLICY.classes.material)
    const own = { ...POLICY.classes, late_restatement: rule }
    expect(ruleOf(stateWith(own), 'late_restatement', change)).toEqual(rule)
  })

  test('needs oversight, and people who can fill its seats', () => {
    const policy = (change: object) => ({
      ...POLICY,
      classes: { ...POLICY.classes, late_restatement: { ...rule, ...change } },
    })
    expect(() => checkPolicy(policy({}), people)).not.toThrow()
    expect(() => checkPolicy(policy({ oversight: 0 }), people)).toThrow('oversight of late_restatement is 0')
    expect(() => checkPolicy(policy({ committee: 3 }), people)).toThrow('committee of late_restatement is 3')
  })

  test('is an optional part of a policy file', () => {
    const text = (more: object) => {
      const { classes, ...periods } = POLICY
      return JSON.stringify({ policy: { expires_at: CONTENT.as_of, ...periods }, classes: { ...classes, ...more } })
    }
    expect(parsePolicy(text({}), 'policy.yaml').content.classes.late_restatement).toBeUndefined()
    const { classes } = parsePolicy(text({ late_restatement: rule }), 'policy.yaml').content
    expect(classes.late_restatement).toEqual(rule)
    expect(() => parsePolicy(text({ late: rule }), 'policy.yaml')).toThrow('late')
  })
})

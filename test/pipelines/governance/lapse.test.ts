import { describe, expect, test } from 'vitest'
import type { GovernanceAct } from '../../../pipelines/governance/acts.ts'
import { decideAct } from '../../../pipelines/governance/decide.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { moveDue, nextDue } from '../../../pipelines/governance/due.ts'
import { enactedWith, lapsedOver } from '../../../pipelines/governance/lapse.ts'
import { type Change, type GovernanceState, proposalIdOf } from '../../../pipelines/governance/proposal.ts'
import { proposalRecord } from '../../../pipelines/governance/proposal-record.ts'
import { recordDecision } from '../../../pipelines/governance/record-decision.ts'
import { replayAct } from '../../../pipelines/governance/replay-act.ts'
import { SERVICE_NAME } from '../../../pipelines/governance/roster-form.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { begin, keyOf, MODEL_START, settle } from '../../support/governance-histories.ts'

const HOUR = MICROS_PER_DAY / 24
const TARGET = 'idx_a:status'
const ENDS = { roster: MODEL_START + 399 * MICROS_PER_DAY, policy: MODEL_START + 399 * MICROS_PER_DAY }

/** Changes of the status of one index, each named by a letter. Acts are decided as those of earlier releases are. */
class Story {
  state: GovernanceState
  now: Micros = MODEL_START
  readonly changes = new Map<string, Change>()
  /** Takes from each lapse what acts of earlier releases did not state. */
  readonly is_old: boolean

  constructor(is_old = false) {
    this.is_old = is_old
    this.state = begin(ENDS, new Map([['idx_a', 'a'.repeat(64)]]))
    this.rule({ comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }, 'PT72H')
  }

  /** Sets the times of announced changes, and that of an emergency. */
  rule(times: { comment: string; vote: string; notice: string }, emergency_lapse: string): void {
    const policies = this.state.policies.map((one) => {
      const { classes } = one.document
      const material = { ...classes.material, ...times }
      return { ...one, document: { ...one.document, classes: { ...classes, material }, emergency_lapse } }
    })
    this.state = { ...this.state, policies }
  }

  run(step: string): void {
    const [verb, name, status = ''] = step.split(' ') as [string, string, string?]
    if (verb === 'urgent' || verb === 'asked' || verb === 'announced') this.propose(verb, name, status)
    if (verb === 'urgent') this.sign('vote', name, ['c2', 'o1'])
    if (verb === 'announced') this.sign('vote', name, ['c2', 'c3', 'o1'])
    if (verb === 'ratify') this.sign('ratify', name, ['c2', 'c3', 'o1'])
    if (verb === 'shorten') this.rule({ comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }, name)
    if (verb === 'hours') this.now += Number(name) * HOUR
    this.settle()
  }

  settle(): void {
    if (!this.is_old) {
      this.state = settle(this.state, this.now)
      return
    }
    for (;;) {
      const due = nextDue(this.state, this.now)
      if (due === null) return
      const { head: _not_stated, ...old } = due
      this.state = recordDecision(this.state, { proposal: moveDue(this.state, old, this.now) }, this.now)
    }
  }

  propose(verb: string, name: string, status: string): void {
    const content = { index_id: 'idx_a', status, effective_from: formatMicros(this.now), salt: this.changes.size }
    const emergency = verb === 'announced' ? null : 'OUTAGE'
    const base_hash = this.state.heads.get(TARGET) ?? null
    const change = {
      kind: 'index_status',
      base_hash,
      content,
      rationale: name,
      impact_digest: null,
      emergency,
    } as const
    this.changes.set(name, change)
    const { kind, ...details } = change
    this.act({ act: 'propose', kind, subject_id: proposalIdOf(change), details, actor_id: 'c1' })
  }

  sign(act: 'vote' | 'ratify', name: string, people: readonly string[]): void {
    const details = act === 'vote' ? { choice: 'approve', reason: null } : {}
    for (const actor_id of people) this.act({ act, kind: 'index_status', subject_id: this.id(name), details, actor_id })
  }

  act(signed: Omit<GovernanceAct, 'acted_at'>): void {
    const act = { ...signed, acted_at: this.now }
    const request = { act, public_key: keyOf(act.actor_id, 1), recorded_at: this.now }
    this.state = recordDecision(this.state, decideAct(this.state, request).decision, this.now)
    this.settle()
  }

  id(name: string): string {
    return proposalIdOf(this.changes.get(name)!)
  }

  /** Name of the change in force and the status of the index. */
  shown(): string {
    const hash = this.state.heads.get(TARGET) ?? null
    const enacted = enactedWith(this.state, TARGET, hash)
    const name = [...this.changes.keys()].find((one) => this.id(one) === enacted?.proposal_id) ?? 'none'
    return `${name} ${this.state.statuses.get('idx_a')}`
  }
}

function told(steps: string, is_old = false): Story {
  const story = new Story(is_old)
  for (const step of steps.split(', ')) story.run(step)
  return story
}

describe('an emergency that lapses returns to the newest change before it that has not lapsed', () => {
  test.each([
    ['the first status', 'urgent A suspended, hours 73', 'none active'],
    ['the first status, after two in a row', 'urgent A suspended, hours 1, urgent B active, hours 80', 'none active'],
    ['and after three', 'urgent A suspended, urgent B active, urgent C suspended, hours 80', 'none active'],
    [
      'an announced change, after two',
      'announced X suspended, urgent A active, hours 9, urgent B suspended, hours 80',
      'X suspended',
    ],
    ['the first, while another waits', 'urgent A suspended, asked B active, hours 73', 'none active'],
    ['a ratified one', 'urgent A suspended, ratify A, hours 80, urgent B active, hours 80', 'A suspended'],
    ['one ratified after the other act', 'urgent A suspended, urgent B active, ratify A, hours 80', 'A suspended'],
    [
      'a ratified one under two',
      'urgent A suspended, ratify A, urgent B active, urgent C suspended, hours 80',
      'A suspended',
    ],
    ['no base, if a ratified one replaced it', 'urgent A suspended, urgent B active, ratify B, hours 80', 'B active'],
    ['nor if an announced one did', 'urgent A suspended, announced X active, hours 80', 'X active'],
    [
      'an announced change over one that lapsed meanwhile',
      'urgent A suspended, announced X active, urgent B suspended, hours 80',
      'X active',
    ],
    [
      'one that waits still, if it lapses before it',
      'urgent A suspended, shorten PT1H, urgent B active, hours 2',
      'A suspended',
    ],
    ['which lapses later', 'urgent A suspended, shorten PT1H, urgent B active, hours 2, hours 80', 'none active'],
    [
      'a later one than an earlier pair left',
      'urgent A suspended, urgent B active, hours 80, announced X suspended, urgent C active, hours 80',
      'X suspended',
    ],
  ])('%s', (_name, steps, expected) => {
    expect(told(steps).shown()).toBe(expected)
  })

  test('an emergency that waits over one that lapses expires: its base has moved', () => {
    const story = told('urgent A suspended, asked B active, hours 73')
    expect(story.state.proposals.get(story.id('B'))).toMatchObject({ state: 'expired', reason: 'BASE_MOVED' })
  })

  test('names the change that took effect, not another with the same content that expired', () => {
    const story = told('urgent A suspended, ratify A')
    const enacted = story.state.proposals.get(story.id('A'))!
    const expired = { ...enacted, proposal_id: 'prp_0', state: 'expired' } as const
    story.state = { ...story.state, proposals: new Map([['prp_0', expired], ...story.state.proposals]) }
    expect(enactedWith(story.state, TARGET, recordHash(enacted.content))?.proposal_id).toBe(enacted.proposal_id)
  })

  test('only a lapse that returned to a base allows another version of it', () => {
    const both = told('announced X suspended, urgent A active, urgent B suspended, hours 80')
    const over = (story: Story, name: string) =>
      lapsedOver(story.state, story.state.proposals.get(story.id(name))!).map(({ rationale }) => rationale)
    expect([over(both, 'X'), over(both, 'A')]).toEqual([['B'], []])
    expect(over(told('announced X suspended, urgent A active, announced Y suspended, hours 80'), 'X')).toEqual([])
  })
})

describe('a lapse of an earlier release', () => {
  const TWO = 'urgent A suspended, urgent B active, hours 80'

  test('returns to the base that it names, as it was published', () => {
    expect(told(TWO, true).shown()).toBe('A suspended')
  })

  test('leaves what a later emergency does not return to', () => {
    const story = told(TWO, true)
    const now = new Story()
    now.state = story.state
    now.now = story.now
    for (const step of ['urgent C active', 'hours 80']) now.run(step)
    expect(now.shown()).toBe('none active')
  })

  test('is decided again as it was; one that states another head than follows was not due', () => {
    const story = new Story()
    for (const step of ['urgent A suspended', 'urgent B active']) story.run(step)
    const due_at = story.now + 72 * HOUR
    const [first] = story.changes.keys()
    const once = recordDecision(
      story.state,
      { proposal: moveDue(story.state, nextDue(story.state, due_at)!, due_at) },
      due_at,
    )
    const second = nextDue(once, due_at)!
    const replayed = (details: GovernanceAct['details']) => {
      const subject_id = second.proposal_id
      const act = {
        act: 'lapse',
        kind: 'index_status',
        subject_id,
        details,
        actor_id: SERVICE_NAME,
        acted_at: due_at,
      } as const
      const record = { act_id: 'gac_1', signed_text: '', public_key: null, signature: null, recorded_at: due_at }
      return replayAct(once, act, record).state.heads.get(TARGET)
    }
    expect(first).toBe('A')
    const base = once.proposals.get(second.proposal_id)!.base_hash
    expect(replayed({ since: formatMicros(due_at), reason: 'NOT_RATIFIED' })).toBe(base)
    expect(replayed({ since: formatMicros(due_at), reason: 'NOT_RATIFIED', head: second.head! })).toBe(second.head)
    expect(() => replayed({ since: formatMicros(due_at), reason: 'NOT_RATIFIED', head: 'f'.repeat(64) })).toThrow(
      'lapse by the service is not due',
    )
  })
})

test('a published proposal does not state what only its act states', () => {
  const story = told('urgent A suspended, hours 80')
  const lapsed = story.state.proposals.get(story.id('A'))!
  expect(lapsed.returned).toEqual({ hash: null })
  expect(Object.keys(proposalRecord(lapsed, 'gac_1'))).not.toContain('returned')
})

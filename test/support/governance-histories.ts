import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import { decideAct } from '../../pipelines/governance/decide.ts'
import { policyDocument, rosterDocument } from '../../pipelines/governance/documents.ts'
import { moveDue, nextDue } from '../../pipelines/governance/due.ts'
import type { PolicyContent } from '../../pipelines/governance/policy.ts'
import {
  type Change,
  changeIdOf,
  type GovernanceState,
  NO_GOVERNANCE,
  type Proposal,
  proposalIdOf,
} from '../../pipelines/governance/proposal.ts'
import { contentHashOf } from '../../pipelines/governance/propose.ts'
import { recordDecision } from '../../pipelines/governance/record-decision.ts'
import type { MemberKey } from '../../pipelines/governance/roster.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'
import { GovernanceModel, type Name, type Status, type Told } from './governance-model.ts'
import { TEST_POLICY } from './governance-world.ts'

const HOUR = 3600 * 1_000_000
const DAY = 24 * HOUR
export const MODEL_START = 1_800_000_000 * 1_000_000

const ROLES: Readonly<Record<Name, readonly RosterRole[]>> = {
  c1: ['committee'],
  c2: ['committee'],
  c3: ['committee'],
  o1: ['oversight'],
  both: ['committee', 'oversight'],
  a1: ['administrator'],
  r1: ['runner'],
  r2: ['runner'],
}
const NAMES = Object.keys(ROLES) as Name[]

/** Seeded numbers. */
export function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

/** Hex of a key: each person has two. */
export const keyOf = (name: string, n: number): string => Buffer.from(`${name}/${n}`.padEnd(32)).toString('hex')

/** One history: the implementation and the model beside each other. */
export type History = { readonly steps: number; readonly states: ReadonlySet<string>; readonly refused: number }

const POLICY: PolicyContent = TEST_POLICY

/** Runs a random history. @throws {Error} where the two disagree */
export function runHistory(seed: number, steps_max = 40): History {
  const pick = random(seed)
  const one = <T>(list: readonly T[]): T => list[pick(list.length)]!
  const ends = {
    roster: MODEL_START + (pick(6) === 0 ? 20 : 399) * DAY,
    policy: MODEL_START + (pick(6) === 0 ? 30 : 399) * DAY,
  }
  const model = new GovernanceModel(ends)
  let state = begin(ends, FIRST_HEADS)
  for (const [index, head] of FIRST_HEADS) model.heads.set(index, head)
  let now = MODEL_START
  let refused = 0
  const seen = new Set<string>()
  // Every fourth history is one of emergencies, so that several lapse over each other.
  const is_urgent = seed % 4 === 0

  for (let step = 0; step < steps_max; step += 1) {
    now += one(is_urgent ? [0, 0, 1, HOUR, HOUR, 12 * HOUR, 3 * DAY] : WAITS)
    if (pick(25) === 0) {
      model.revoke(keyOf(one(NAMES), 1 + pick(2)), now - one([0, DAY, 5 * DAY]))
      state = withRoster(state, ends, model.revoked)
    }
    state = settle(state, now)
    model.settle(now)
    compare(seed, step, state, model)
    const accepted = act(state, model, { pick, one, now, is_urgent })
    if (accepted === null) refused += 1
    else state = accepted
    state = settle(state, now)
    model.settle(now)
    compare(seed, step, state, model)
    for (const told of model.proposals.values()) seen.add(told.state)
  }
  return { steps: steps_max, states: seen, refused }
}

const WAITS = [0, 0, 1, HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 13 * DAY + 12 * HOUR] as const

type Ends = { readonly roster: Micros; readonly policy: Micros }

/** Begins with a roster and a policy in force, and with these versions. */
export function begin(ends: Ends, heads: ReadonlyMap<string, string>): GovernanceState {
  const document = policyDocument(POLICY, ends.policy, null)
  const policies = [{ ...ADOPTED, document }]
  return withRoster({ ...NO_GOVERNANCE, policies, heads }, ends, new Map())
}

/** Indexes that a history begins with; `idx_new` and `idx_known` are not governed at first. */
const FIRST_HEADS: ReadonlyMap<string, string> = new Map([
  ['idx_a', 'a'.repeat(64)],
  ['idx_b', 'b'.repeat(64)],
])

const ADOPTED = { proposal_id: 'prp_first', record_hash: 'f'.repeat(64), effective_from: MODEL_START }

/** Puts a roster in force that knows these revocations. */
export function withRoster(state: GovernanceState, ends: Ends, revoked: ReadonlyMap<string, Micros>): GovernanceState {
  const keys = (name: string): MemberKey[] =>
    [1, 2].map((n) => ({
      public_key: keyOf(name, n),
      valid_from: MODEL_START - DAY,
      valid_to: null,
      revoked_at: revoked.get(keyOf(name, n)) ?? null,
    }))
  const members = NAMES.map((name) => ({ actor_id: name, name, roles: ROLES[name], keys: keys(name) }))
  const document = rosterDocument({ members, threshold: 1, expires_at: ends.roster }, state.rosters.at(-1) ?? null)
  return { ...state, rosters: [...state.rosters, { ...ADOPTED, document }] }
}

/** Performs what is due, as operations/governance does. */
export function settle(state: GovernanceState, at: Micros): GovernanceState {
  for (let next = state; ; ) {
    const due = nextDue(next, at)
    if (due === null) return next
    next = recordDecision(next, { proposal: moveDue(next, due, at) }, at)
  }
}

type Tools = {
  readonly pick: (below: number) => number
  readonly one: <T>(list: readonly T[]) => T
  readonly now: Micros
  readonly is_urgent: boolean
}

function act(state: GovernanceState, model: GovernanceModel, tools: Tools): GovernanceState | null {
  const { pick, one, now, is_urgent } = tools
  const ids = [...model.proposals.keys()]
  const by = one(is_urgent ? (['c1', 'c2', 'o1', 'both'] as const) : NAMES)
  const key = keyOf(by, 1 + pick(2))
  const signedBy = one([...Array(9).fill(by), one(NAMES)]) as Name
  const base = { actor_id: signedBy, acted_at: now - one([0, HOUR]) } as const
  if (ids.length === 0 || pick(5) === 0)
    return propose(state, model, { by, key, signedBy, acted_at: base.acted_at }, tools)
  const subject_id = pick(2) === 0 ? ids.at(-1)! : one(ids)
  const told = model.proposals.get(subject_id)!
  const name = one(['vote', 'vote', 'vote', 'vote', 'veto', 'cancel', 'recuse', 'ratify', 'ratify', 'comment'] as const)
  const choice = one(['approve', 'approve', 'approve', 'dissent'] as const)
  const details = {
    vote: { choice, reason: null },
    veto: { reason: 'no' },
    cancel: { reason: 'no' },
    recuse: { reason: 'no' },
    ratify: {},
    comment: { text: 'a word' },
  }[name]
  const { kind } = state.proposals.get(subject_id)!
  const next = decided(state, { ...base, kind, act: name, subject_id, details } as GovernanceAct, key, now)
  const is_open = ['proposed', 'consulting'].includes(told.state)
  const is_due = is_open || ['approved', 'queued'].includes(told.state)
  const votes = /^c|^o1|both/.test(by)
  const is_free = by !== told.by && !told.recused.has(by)
  const allowed =
    by === signedBy &&
    model.isAble(key, base.acted_at) &&
    model.isAble(key, now) &&
    {
      vote: votes && is_open && is_free,
      veto: (by === 'o1' || by === 'both') && is_due,
      cancel: (by.startsWith('c') || by === 'both' || by === 'a1') && is_due && by === told.by,
      recuse: votes && is_open,
      ratify: votes && told.state === 'effective' && told.lapses_at !== null && is_free,
      comment: is_due,
    }[name]
  agree(allowed, next !== null, `${name} by ${by} on a proposal that is ${told.state}`)
  if (!allowed) return null
  if (name === 'vote') {
    const before = model.carried(told)
    told.says.set(by, { choice, key, at: base.acted_at })
    const is_late = told.times.vote > 0 && now >= told.end_of_vote - 24 * HOUR
    if (!before && model.carried(told) && is_late && !told.is_longer) {
      told.is_longer = true
      told.end_of_vote += 48 * HOUR
    }
  }
  if (name === 'veto') told.state = 'vetoed'
  if (name === 'cancel') told.state = 'cancelled'
  if (name === 'recuse') {
    told.recused.add(by)
    told.says.delete(by)
  }
  if (name === 'ratify') {
    told.ratified.set(by, { key, at: base.acted_at })
    if (
      model.has(
        { committee: 2, oversight: 1 },
        model.valid(told.ratified).map(([n]) => n),
      )
    )
      told.lapses_at = null
  }
  return next
}

type Signed = { readonly by: Name; readonly key: string; readonly signedBy: Name; readonly acted_at: Micros }

/** A change that somebody tries, and what the rules say about its kind. */
type Tried = {
  readonly kind: Told['kind']
  readonly index: string
  readonly content: Change['content']
  readonly gives: Status | null
  readonly is_possible: boolean
}

const KINDS = {
  version: 'index_version',
  adoption: 'index_adoption',
  status: 'index_status',
  cessation: 'cessation',
} as const

const ALL_KINDS = ['version', 'version', 'version', 'adoption', 'status', 'status', 'cessation'] as const
const URGENT_KINDS = ['version', 'status', 'status', 'status'] as const

function tried(model: GovernanceModel, start: Micros, { pick, one, is_urgent }: Tools): Tried {
  const kind = one(is_urgent ? URGENT_KINDS : ALL_KINDS)
  const indexes = is_urgent ? ['idx_a'] : ['idx_a', 'idx_b', 'idx_new']
  const index = kind === 'adoption' ? one(['idx_known', 'idx_a']) : one(indexes)
  const status = model.statuses.get(index) ?? 'active'
  const is_governed = model.heads.has(index)
  const content = {
    index_id: index,
    effective_from: formatMicros(start),
    version: `${model.proposals.size}`,
    salt: pick(1000),
  }
  const is_open = status !== 'archived'
  if (kind === 'version') return { kind, index, content, gives: null, is_possible: is_open }
  if (kind === 'adoption') return { kind, index, content, gives: null, is_possible: is_open && !is_governed }
  const target = `${index}:status`
  if (kind === 'cessation') {
    const end = { ...content, final_value: 'the last level', substitute_index_id: null }
    return { kind, index: target, content: end, gives: 'archived', is_possible: is_open && is_governed }
  }
  const gives = one(['active', 'suspended', 'suspended', 'archived'] as const)
  const moves = ['active suspended', 'suspended active', 'suspended archived']
  const is_possible = is_governed && moves.includes(`${status} ${gives}`)
  return { kind, index: target, content: { ...content, status: gives }, gives, is_possible }
}

function propose(
  state: GovernanceState,
  model: GovernanceModel,
  { by, key, signedBy, acted_at }: Signed,
  tools: Tools,
): GovernanceState | null {
  const { pick, one, now, is_urgent } = tools
  const start = now + one([0, 2, 6, 20, 40, 60]) * DAY
  const { kind, index, content, gives, is_possible } = tried(model, start, tools)
  const known = model.heads.get(index) ?? null
  const base = pick(8) === 0 ? 'e'.repeat(64) : known
  const attested = one(['text', 'parameter', 'material'] as const)
  const is_emergency = pick(is_urgent ? 1 : 4) === 0
  const runners = kind === 'version' ? one([3, 2, 2, 2, 1, 0]) : 0
  const change: Change = {
    kind: KINDS[kind],
    base_hash: base,
    content,
    rationale: 'a test',
    impact_digest: runners === 0 ? null : 'd'.repeat(64),
    emergency: is_emergency ? 'OUTAGE' : null,
  }
  const digests = ['d', pick(10) === 0 ? 'c' : 'd', pick(10) === 0 ? 'c' : 'd']
    .slice(0, runners)
    .map((n) => n.repeat(64))
  const { kind: of_act, ...details } = change
  const subject_id = proposalIdOf(change)
  const signed = { act: 'propose', kind: of_act, subject_id, details, actor_id: signedBy, acted_at } as const
  const next = decided(attest(state, change, digests, attested), signed, key, now)
  const is_new = kind === 'version' && base === null && runners === 0
  const classes = {
    adoption: 'text',
    status: 'material',
    cessation: 'cessation',
    version: is_new ? 'material' : attested,
  }
  const change_class = (is_emergency ? 'emergency' : classes[kind]) as keyof typeof DAYS
  const [comment, vote, notice] = DAYS[change_class].map((n) => n * DAY)
  const agreed = digests.every((digest) => digest === change.impact_digest)
  const may_be_urgent = kind === 'status' || (kind === 'version' && base !== null && start <= now + 72 * HOUR)
  const allowed =
    by === signedBy &&
    model.isAble(key, acted_at) &&
    model.isAble(key, now) &&
    (by.startsWith('c') || by === 'both' || by === 'a1') &&
    base === known &&
    is_possible &&
    (kind !== 'version' || is_new || (runners >= 2 && agreed)) &&
    (!is_emergency || may_be_urgent) &&
    (kind !== 'version' || start >= now + Math.max(comment!, vote!) + notice!)
  agree(allowed, next !== null, `propose by ${by} of ${change_class}, a ${kind} of ${index}`)
  if (!allowed) return null
  const { committee, oversight } = POLICY.classes[change_class === 'cessation' ? 'material' : change_class]
  model.proposals.set(subject_id, {
    ...{ kind, index, base, head: contentHashOf(change), by, at: now, start, is_emergency },
    gives,
    need: { committee, oversight },
    times: { comment: comment!, vote: vote!, notice: notice! },
    ...{ says: new Map(), ratified: new Map(), recused: new Set() },
    state: comment! > 0 ? 'consulting' : 'proposed',
    end_of_vote: now + vote!,
    ...{ is_longer: false, effective_at: null, lapses_at: null },
  })
  return next
}

/** Days of comment, vote and notice. */
const DAYS = {
  text: [0, 0, 1],
  parameter: [0, 0, 5],
  material: [14, 14, 14],
  emergency: [0, 0, 0],
  cessation: [14, 14, 30],
} as const

export function attest(
  state: GovernanceState,
  change: Change,
  digests: readonly string[],
  change_class: 'text' | 'parameter' | 'material',
): GovernanceState {
  const change_id = changeIdOf({ base_hash: change.base_hash, content_hash: contentHashOf(change) })
  return digests.reduce<GovernanceState>((known, impact_digest, i) => {
    const runner = `r${i + 1}`
    const signed = { public_key: keyOf(runner, 1), acted_at: 0 }
    return recordDecision(known, { change_id, runner, attestation: { impact_digest, change_class, signed } }, 0)
  }, state)
}

function decided(
  state: GovernanceState,
  act: GovernanceAct,
  public_key: string,
  recorded_at: Micros,
): GovernanceState | null {
  try {
    return recordDecision(state, decideAct(state, { act, public_key, recorded_at }).decision, recorded_at)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

function agree(allowed: boolean, accepted: boolean, what: string): void {
  if (allowed !== accepted)
    throw new Error(`${what}: the model ${allowed ? 'allows' : 'refuses'} it, the rules do not agree`)
}

function compare(seed: number, step: number, state: GovernanceState, model: GovernanceModel): void {
  for (const [id, told] of model.proposals) {
    const proposal: Proposal = state.proposals.get(id)!
    const [ours, theirs] = [`${proposal.state} ${proposal.lapses_at}`, `${told.state} ${told.lapses_at}`]
    if (ours !== theirs) throw new Error(`seed ${seed}, step ${step}: ${id} is ${ours}; the model says ${theirs}`)
  }
  for (const [index, head] of model.heads) {
    if (state.heads.get(index) !== head)
      throw new Error(`seed ${seed}, step ${step}: another version of ${index} is in force`)
  }
  for (const [index, status] of model.statuses) {
    if (state.statuses.get(index) !== status) throw new Error(`seed ${seed}, step ${step}: ${index} is not ${status}`)
  }
}

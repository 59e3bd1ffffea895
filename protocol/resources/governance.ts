import Type, { type Static } from 'typebox'
import {
  CHANGE_CLASSES,
  GOVERNANCE_ACTS,
  IMPACT_AGREEMENTS,
  IMPACT_ENGINES,
  IMPACT_KINDS,
  PROPOSAL_KINDS,
  PROPOSAL_STATES,
  ROSTER_ROLES,
  VOTE_CHOICES,
} from '../../vocabulary/governance.ts'
import { NOTICE_ACTS } from '../../vocabulary/notices.ts'
import { Count, closed, Duration, Id, Instant, instantOf, orNull, Text, texts } from '../scalars.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the RFC 8785 form, in hex' })
const PublicKey = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Ed25519 public key, in hex' })

const versioned = {
  version: Type.Integer({ minimum: 1 }),
  record_hash: Hash,
  previous_hash: orNull(Hash, 'record_hash of the version before; null: the first'),
  proposal_id: Id,
  effective_from: Instant,
  expires_at: instantOf('acts are refused from then on, except on a successor'),
  published_at: Instant,
  signed_content: Type.String({ description: 'the RFC 8785 text whose SHA-256 is record_hash' }),
} as const

const RosterMember = Type.Object(
  {
    actor_id: Text,
    name: Text,
    roles: Type.Array(texts(ROSTER_ROLES)),
    keys: Type.Array(
      Type.Object(
        {
          public_key: PublicKey,
          valid_from: Instant,
          valid_to: orNull(Instant),
          revoked_at: orNull(instantOf('the key signs nothing from then on; acts before stay valid')),
        },
        { ...closed, title: 'RosterKey' },
      ),
    ),
  },
  { ...closed, title: 'RosterMember' },
)

/** People who decide, with their keys and roles. */
export const Roster = Type.Object(
  {
    ...versioned,
    threshold: Type.Integer({ minimum: 1, description: 'number of administrators who sign a roster' }),
    members: Type.Array(RosterMember),
  },
  { ...closed, title: 'Roster' },
)
export type Roster = Static<typeof Roster>

const ClassRule = Type.Object(
  {
    change_class: texts(CHANGE_CLASSES),
    committee: Count,
    oversight: Count,
    comment: Duration,
    vote: Duration,
    notice: Duration,
    impact: Type.Optional(
      Type.Literal('required', { description: 'changes of every kind that has an impact need a signed one' }),
    ),
  },
  { ...closed, title: 'ChangeClassRule' },
)

/** Signatures and waiting times by class of change. */
export const Policy = Type.Object(
  {
    ...versioned,
    classes: Type.Array(ClassRule),
    proposal_lifetime: Duration,
    late_window: Duration,
    late_extension: Duration,
    emergency_lapse: Duration,
    drift_after: Type.Optional(
      Type.String({
        ...Duration,
        description: 'time after which drift of a constituent is drafted as a change; without it, drift is only shown',
      }),
    ),
  },
  { ...closed, title: 'Policy' },
)
export type Policy = Static<typeof Policy>

const Vote = Type.Object(
  { actor_id: Text, choice: texts(VOTE_CHOICES), public_key: PublicKey, acted_at: Instant },
  { ...closed, title: 'GovernanceVote' },
)

const VoteWithReason = Type.Object(
  { ...Vote.properties, reason: orNull(Text, 'why the member dissents; null: none was given') },
  { ...closed, title: 'GovernanceVoteWithReason' },
)

/** A proposed change in its newest state. */
export const Proposal = Type.Object(
  {
    proposal_id: Id,
    revision: Type.Integer({ minimum: 1, description: 'ordinal of the state, from 1' }),
    kind: texts(PROPOSAL_KINDS),
    target: Text,
    base_hash: orNull(Hash, 'hash of the record that it replaces; null: the first'),
    content: Type.String({ description: 'the proposed content (RFC 8785)' }),
    rationale: Text,
    impact_digest: orNull(Hash),
    emergency: orNull(Text, 'reason code of an emergency; null: none'),
    change_class: texts(CHANGE_CLASSES),
    state: texts(PROPOSAL_STATES),
    reason: orNull(Text, 'why it ended; null: it has not'),
    proposed_by: Text,
    proposed_at: Instant,
    comment_ends_at: Instant,
    vote_ends_at: orNull(Instant, 'null: the vote ends as soon as it is carried'),
    effective_at: orNull(Instant, 'end of the notice; null: it has not begun'),
    expires_at: Instant,
    lapses_at: orNull(Instant, 'end of an emergency that nobody ratifies; null: none'),
    votes: Type.Array(Vote),
    ratifications: Type.Array(Vote),
    recused: Type.Array(Text),
    act_id: Id,
    published_at: Instant,
  },
  { ...closed, title: 'Proposal' },
)
export type Proposal = Static<typeof Proposal>

const Difference = Type.Object(
  {
    path: Type.String({ description: 'fields and ids that lead to the value' }),
    before: orNull(Text, 'RFC 8785; null: absent'),
    after: orNull(Text, 'RFC 8785; null: absent'),
  },
  { ...closed, title: 'ContentDifference' },
)

const Seats = Type.Object(
  {
    roles: Type.Array(texts(ROSTER_ROLES), { description: 'people with one of these roles may fill a seat' }),
    needed: Count,
    actor_ids: Type.Array(Text, { description: 'who fills one; a person counts once' }),
    roster_version: orNull(
      Type.Integer({ minimum: 1 }),
      'roster whose people count; null: the first one, which is proposed itself',
    ),
  },
  { ...closed, title: 'Seats' },
)

/** A proposal with its differences from the record in force, and every state it was in, first to last. */
export const ProposalWithHistory = Type.Object(
  {
    ...Proposal.properties,
    votes: Type.Array(VoteWithReason),
    seats: Type.Array(Seats, { description: 'signatures that approval needs, and who has given them' }),
    ratification_seats: Type.Array(Seats, { description: 'the same to keep an emergency in force; empty: it is none' }),
    takes_effect_at: orNull(
      Instant,
      'latest of effective_at, the effective_from of a version or status, and the activation; answers follow it from then on',
    ),
    vetoed_before: Type.Array(Id, {
      description: 'earlier proposals of the same change that oversight vetoed, first to last',
    }),
    diff: Type.Array(Difference),
    history: Type.Array(Proposal),
  },
  { ...closed, title: 'ProposalWithHistory' },
)
export type ProposalWithHistory = Static<typeof ProposalWithHistory>

/** Refused acts of governance are those on proposals, notices and complaints. */
const SIGNED_ACTS = [...GOVERNANCE_ACTS, ...NOTICE_ACTS] as const

/** A signed act of governance, or one that was refused. */
export const GovernanceAct = Type.Object(
  {
    act_id: Id,
    outcome: texts(['recorded', 'refused']),
    act: orNull(
      texts(SIGNED_ACTS),
      'kind of the act; one on a notice or complaint is here if it was refused; null: the signed text is no act',
    ),
    subject_id: orNull(Text, 'the proposal, or the change that a runner attests'),
    actor_id: orNull(Text, 'null: a refused act whose key is not in the roster'),
    roles: Type.Array(texts(ROSTER_ROLES)),
    public_key: orNull(Text, 'null: the service itself, which signs nothing'),
    signed_text: Text,
    signature: orNull(Text),
    acted_at: orNull(Instant),
    recorded_at: orNull(instantOf('clock of the service, from which delays count; null: refused')),
    code: orNull(Text, 'code of the error of a refused act'),
    message: orNull(Text),
    published_at: Instant,
  },
  { ...closed, title: 'GovernanceAct' },
)
export type GovernanceAct = Static<typeof GovernanceAct>

const ImpactAttestation = Type.Object(
  {
    runner: Text,
    engine: texts(IMPACT_ENGINES),
    impact_digest: Hash,
    change_class: texts(CHANGE_CLASSES),
    is_latest: Type.Boolean({ description: 'whether it is the last one of its runner, which alone counts' }),
    act_id: Id,
    acted_at: Instant,
    published_at: Instant,
  },
  { ...closed, title: 'ImpactAttestation' },
)

/** Impact of a change, as runners have signed it. */
export const Impact = Type.Object(
  {
    change_id: Id,
    kind: texts(IMPACT_KINDS, 'kind of change, as of its proposal'),
    target_id: Type.String({ description: 'id of the index, methodology or eligibility policy that changes' }),
    index_id: orNull(Id, 'null: the change is not of one index'),
    base_hash: orNull(Hash, 'hash of the record that the change replaces; null: the first, or an index not governed'),
    content_hash: Hash,
    agreement: texts(IMPACT_AGREEMENTS, 'agreed: at least two runners have signed one digest, and none another'),
    impact_digest: orNull(Hash, 'null: the runners do not agree'),
    change_class: orNull(texts(CHANGE_CLASSES), 'null: the runners do not agree'),
    attestations: Type.Array(ImpactAttestation, { description: 'every signature, first to last' }),
    reports: Type.Array(
      Type.Object(
        {
          impact_digest: Hash,
          report: Type.String({ description: 'the RFC 8785 text whose SHA-256 is impact_digest' }),
        },
        { ...closed, title: 'ImpactReport' },
      ),
      { description: 'each report that was signed, once' },
    ),
    published_at: instantOf('instant of the last signature'),
  },
  { ...closed, title: 'Impact' },
)
export type Impact = Static<typeof Impact>

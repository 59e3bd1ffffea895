import Type, { type Static } from 'typebox'
import { notAllowed } from '../../primitives/errors.ts'
import { durationMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { type ChangeClass, type RosterRole, VERSION_CLASSES } from '../../vocabulary/governance.ts'
import { At, CLOSED, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'

/** Classes that the policy rules; a roster has its threshold. */
const RULED_CLASSES = [...VERSION_CLASSES, 'emergency', 'policy'] as const satisfies ChangeClass[]
export type RuledClass = (typeof RULED_CLASSES)[number]

/** Classes that a policy may rule; without a rule of its own, a class has that of a material change. */
const OPTIONAL_CLASSES = ['late_restatement'] as const satisfies ChangeClass[]
type OptionalClass = (typeof OPTIONAL_CLASSES)[number]

/** Signatures and waiting times of a class of change. */
export type ClassRule = {
  /** Number of committee members and of oversight members who approve. */
  readonly committee: number
  readonly oversight: number
  /** Time for comments before approval. */
  readonly comment: string
  /** Length of the vote; PT0S: it ends as soon as it is carried. */
  readonly vote: string
  /** Time between the notice and the effect. */
  readonly notice: string
}

/** Content of a policy. */
export type PolicyContent = {
  readonly classes: Readonly<Record<RuledClass, ClassRule> & Partial<Record<OptionalClass, ClassRule>>>
  /** Longest time from a proposal to its effect. */
  readonly proposal_lifetime: string
  /** A vote that is carried in the last `late_window` is prolonged by `late_extension`, once. */
  readonly late_window: string
  readonly late_extension: string
  /** Time after which an emergency lapses unless ratified. */
  readonly emergency_lapse: string
}

const Period = Type.String({ pattern: '^P', description: 'an ISO 8601 duration such as P14D' })
const RuleForm = Type.Object(
  { committee: Whole, oversight: Whole, comment: Period, vote: Period, notice: Period },
  CLOSED,
)
const PolicySchema = Type.Object(
  {
    policy: Type.Object(
      {
        expires_at: At,
        proposal_lifetime: Period,
        late_window: Period,
        late_extension: Period,
        emergency_lapse: Period,
      },
      CLOSED,
    ),
    classes: Type.Object(
      {
        ...(Object.fromEntries(RULED_CLASSES.map((name) => [name, RuleForm])) as Record<RuledClass, typeof RuleForm>),
        late_restatement: Type.Optional(RuleForm),
      },
      CLOSED,
    ),
  },
  CLOSED,
)

/** Reads a policy file. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function parsePolicy(
  text: string,
  name: string,
): { readonly content: PolicyContent; readonly expires_at: Micros } {
  const { policy, classes } = readForm(PolicySchema, text, name)
  const { expires_at, ...periods } = policy
  const rules = Object.entries(classes).map(([of_class, rule]) => [of_class, ruleOf(rule)])
  return { content: { ...periods, classes: Object.fromEntries(rules) }, expires_at: toMicros(expires_at) }
}

function ruleOf({ committee, oversight, ...periods }: Static<typeof RuleForm>): ClassRule {
  return { committee: Number(committee), oversight: Number(oversight), ...periods }
}

/** Longest waiting time: a proposal lives shorter than its policy. */
const PERIOD_MAX_DAYS = 400

/**
 * Refuses a policy whose classes nobody could carry, or that gives no protection.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_DURATION_INVALID
 */
export function checkPolicy(
  content: PolicyContent,
  members: readonly { readonly roles: readonly RosterRole[] }[],
): void {
  const holders = (...roles: RosterRole[]) => members.filter((one) => roles.some((role) => one.roles.includes(role)))
  const { classes, ...rest } = content
  for (const name of ['proposal_lifetime', 'late_window', 'late_extension', 'emergency_lapse'] as const)
    checkPeriod(name, rest[name])
  for (const of_class of [...RULED_CLASSES, ...OPTIONAL_CLASSES]) {
    const rule = classes[of_class]
    if (rule === undefined) continue
    const { committee, oversight, comment, vote, notice } = rule
    for (const [name, text] of Object.entries({ comment, vote, notice })) checkPeriod(`${name} of ${of_class}`, text)
    checkCount(`committee of ${of_class}`, committee, 1, holders('committee').length)
    const least = of_class === 'emergency' || of_class === 'late_restatement' ? 1 : 0
    checkCount(`oversight of ${of_class}`, oversight, least, holders('oversight').length)
    checkCount(`signatures of ${of_class}`, committee + oversight, 1, holders('committee', 'oversight').length)
  }
}

function checkCount(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && least <= value && value <= most) return
  const allowed = `from ${least} to ${most}, the people in the roster`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, String(value), allowed)
}

function checkPeriod(field: string, text: string): void {
  const days = durationMicros(text, field) / durationMicros('P1D')
  if (days <= PERIOD_MAX_DAYS) return
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, text, `at most P${PERIOD_MAX_DAYS}D`)
}

/** Returns the rule that is stricter in each part. */
export function stricterRule(a: ClassRule, b: ClassRule): ClassRule {
  const longer = (x: string, y: string) => (durationMicros(x) >= durationMicros(y) ? x : y)
  return {
    committee: Math.max(a.committee, b.committee),
    oversight: Math.max(a.oversight, b.oversight),
    comment: longer(a.comment, b.comment),
    vote: longer(a.vote, b.vote),
    notice: longer(a.notice, b.notice),
  }
}

import Type, { type Static } from 'typebox'
import { notAllowed } from '../../primitives/errors.ts'
import { durationMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { type ChangeClass, type RosterRole, SCHEDULED_REBALANCE, VERSION_CLASSES } from '../../vocabulary/governance.ts'
import { At, CLOSED, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { REBALANCE_NOTICE_MAX } from '../selection/schedule.ts'
import { RUNNERS } from './impact/runner-agreement.ts'

/** Classes that the policy rules; a roster has its threshold. */
const RULED_CLASSES = [...VERSION_CLASSES, 'emergency', 'policy'] as const satisfies ChangeClass[]
type RuledClass = (typeof RULED_CLASSES)[number]
/** Classes that a policy may rule; without a rule of its own, a class has that of a material change. */
const OPTIONAL_CLASSES = [SCHEDULED_REBALANCE, 'late_restatement'] as const satisfies ChangeClass[]
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
  /** Time between the notice and the effect; of a scheduled rebalance between its announced composition and the effect. */
  readonly notice: string
  /** Whether changes of every kind that has an impact need a signed one; left out: only new versions of governed indexes do. */
  readonly impact?: 'required'
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
  /** Time after which drift of a constituent is drafted as a change; left out: it is only shown. */
  readonly drift_after?: string
}

const Period = Type.String({ pattern: '^P', description: 'an ISO 8601 duration such as P14D' })
const RuleForm = Type.Object(
  {
    ...{ committee: Whole, oversight: Whole, comment: Period, vote: Period, notice: Period },
    impact: Type.Optional(Type.Literal('required', { description: 'required' })),
  },
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
        drift_after: Type.Optional(Period),
      },
      CLOSED,
    ),
    classes: Type.Object(
      {
        ...(Object.fromEntries(RULED_CLASSES.map((name) => [name, RuleForm])) as Record<RuledClass, typeof RuleForm>),
        [SCHEDULED_REBALANCE]: Type.Optional(RuleForm),
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
  const content = { ...periods, classes: Object.fromEntries(rules) as PolicyContent['classes'] }
  return { content, expires_at: toMicros(expires_at) }
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
  if (rest.drift_after !== undefined) checkPeriod('drift_after', rest.drift_after)
  for (const of_class of [...RULED_CLASSES, ...OPTIONAL_CLASSES]) {
    const rule = classes[of_class]
    if (rule === undefined) continue
    const { committee, oversight, comment, vote, notice } = rule
    for (const [name, text] of Object.entries({ comment, vote, notice })) checkPeriod(`${name} of ${of_class}`, text)
    checkCount(`committee of ${of_class}`, committee, 1, holders('committee').length)
    const least = of_class === 'emergency' || of_class === 'late_restatement' ? 1 : 0
    checkCount(`oversight of ${of_class}`, oversight, least, holders('oversight').length)
    checkCount(`signatures of ${of_class}`, committee + oversight, 1, holders('committee', 'oversight').length)
    checkImpact(of_class, rule, holders('runner').length)
  }
  checkRebalanceNotice(classes[SCHEDULED_REBALANCE])
}

/** Refuses a notice that no announced composition could keep. */
function checkRebalanceNotice(rule: ClassRule | undefined): void {
  if (rule === undefined || durationMicros(rule.notice) <= durationMicros(REBALANCE_NOTICE_MAX)) return
  const allowed = `at most ${REBALANCE_NOTICE_MAX}: compositions of governed indexes are announced that long before`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', `notice of ${SCHEDULED_REBALANCE}`, rule.notice, allowed)
}

function checkCount(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && least <= value && value <= most) return
  const allowed = `from ${least} to ${most}, the people in the roster`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, String(value), allowed)
}

/** Refuses to require an impact that nobody could sign, and any other word. */
function checkImpact(of_class: string, { impact }: ClassRule, runners: number): void {
  const field = `impact of ${of_class}`
  if (impact !== undefined && impact !== 'required')
    throw notAllowed('VALIDATION_DEFINITION_INVALID', field, JSON.stringify(impact), 'required, or left out')
  if (impact === undefined || runners >= RUNNERS) return
  const seen = `required, with ${runners} runners in the roster`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, seen, `a roster of at least ${RUNNERS} runners`)
}

function checkPeriod(field: string, text: string): void {
  const days = durationMicros(text, field) / durationMicros('P1D')
  if (days <= PERIOD_MAX_DAYS) return
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, text, `at most P${PERIOD_MAX_DAYS}D`)
}

/**
 * Returns the time between the approval of a change and its effect. That of a scheduled rebalance is none: its notice begins with
 * the announced composition, before anybody proposes it.
 */
export function noticeAfterApproval({
  change_class,
  rule,
}: {
  readonly change_class: ChangeClass
  readonly rule: ClassRule | null
}): Micros {
  return rule === null || change_class === SCHEDULED_REBALANCE ? 0 : durationMicros(rule.notice)
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
    ...((a.impact ?? b.impact) === undefined ? {} : { impact: 'required' as const }),
  }
}

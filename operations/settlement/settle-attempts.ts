import { deriveId } from '../../primitives/ids.ts'
import type { AttemptResult, SubmittedSettlements } from '../../trading/engine/settlement-commands.ts'
import { type RailAnswer, railAnswer } from '../../trading/settlement/settlement-rail.ts'
import type { AttemptUnderWay } from '../../trading/store/settlement/settlement-work.ts'
import { concludeAnswer } from './conclude-answer.ts'
import { type ActOf, act, type SettlementPorts } from './settlement-ports.ts'

export type NamedAttempt = { readonly settlement_id: string; readonly attempt_id: string }

/** Results of attempts. */
export type SettledAttempts = {
  readonly confirmed: number
  readonly failed: number
  /** Under way still: followAttempts looks at them again. */
  readonly open: readonly string[]
}

export const NOTHING_SETTLED: SettledAttempts = { confirmed: 0, failed: 0, open: [] }
const ACTOR = 'workflow:settlement'

export type SubmitOf = { readonly actor: string; readonly reason: string }

/**
 * Begins attempts, submits them to the rail, and concludes those with a final answer. Every step may be repeated: an attempt begins once by
 * its id, the rail executes a settlement once, an attempt is concluded once. So interruptions, restarts and concurrent callers have one
 * effect.
 * @throws {ServiceError} if no engine answers. Attempts without an answer of the rail stay open.
 */
export async function settleAttempts(
  attempts: readonly NamedAttempt[],
  ports: SettlementPorts,
  submit: SubmitOf = { actor: ACTOR, reason: 'settlement of a netting window' },
): Promise<SettledAttempts> {
  const { rail, work, reached } = ports
  await reached?.('before-submit')
  const ids = attempts.map(({ attempt_id }) => attempt_id)
  const begin = { act_id: deriveId('act', 'submit_settlements', ...ids), ...submit }
  if (rail.confirmation !== undefined) return settleAtOnce(attempts, rail.confirmation, begin, ports)
  await act(ports, begin, { kind: 'submit_settlements', rail: rail.name, attempts })
  await reached?.('after-submit')
  const under_way = await work.attemptsUnderWay(ids)
  const answers = await askRail(ports, (signal) => rail.submit(under_way.map(instructionOf), signal))
  return conclude(under_way, answers, ports)
}

/**
 * Follows attempts in progress: queries the rail for their status, submits those again that it does not know, and concludes those that are
 * final or take too long. May be repeated, like settleAttempts.
 * @throws as settleAttempts
 */
export async function followAttempts(attempt_ids: readonly string[], ports: SettlementPorts): Promise<SettledAttempts> {
  const { rail, work } = ports
  const under_way = await work.attemptsUnderWay(attempt_ids)
  if (under_way.length === 0) return NOTHING_SETTLED
  const ids = under_way.map(({ settlement_id }) => settlement_id)
  const answered = new Map((await askRail(ports, (signal) => rail.statusOf(ids, signal))).map(byId))
  const unheard = under_way.filter(({ settlement_id }) => answered.get(settlement_id)?.result === 'unknown')
  if (unheard.length > 0) {
    const again = await askRail(ports, (signal) => rail.submit(unheard.map(instructionOf), signal))
    for (const answer of again) answered.set(answer.settlement_id, answer)
  }
  return conclude(under_way, [...answered.values()], ports)
}

async function conclude(
  under_way: readonly AttemptUnderWay[],
  answers: readonly RailAnswer[],
  ports: SettlementPorts,
): Promise<SettledAttempts> {
  await ports.reached?.('after-rail')
  const answered = new Map(answers.map(byId))
  const limits = { finality_ms: ports.rail.finality_ms, attempts_max: ports.policy.attempts_max }
  const results: AttemptResult[] = []
  const open: string[] = []
  for (const attempt of under_way) {
    const answer = answered.get(attempt.settlement_id) ?? railAnswer(attempt.settlement_id, 'unknown')
    const result = concludeAnswer(answer, attempt, ports.now(), limits)
    if (result === null) open.push(attempt.attempt_id)
    else results.push(result)
  }
  if (results.length > 0) await tellEngine(results, ports)
  const confirmed = results.filter(({ result }) => result === 'confirmed').length
  return { confirmed, failed: results.length - confirmed, open }
}

/** The same conclusion of the same attempts is the same act. */
async function tellEngine(results: readonly AttemptResult[], ports: SettlementPorts): Promise<void> {
  const parts = results.map(({ attempt_id, result, failure_code }) => `${attempt_id} ${result} ${failure_code}`)
  const act_id = deriveId('act', 'conclude_settlements', ...parts)
  const of = { act_id, actor: ACTOR, reason: `answers of ${ports.rail.name}` }
  await act(ports, of, { kind: 'conclude_settlements', results })
  await ports.reached?.('after-conclude')
}

/** A rail that does not answer is reported as a problem, and its attempts stay in progress. */
async function askRail(
  { policy, signal, on_problem }: SettlementPorts,
  ask: (signal: AbortSignal) => Promise<readonly RailAnswer[]>,
): Promise<readonly RailAnswer[]> {
  const late = AbortSignal.timeout(policy.rail_ms)
  try {
    return await ask(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    on_problem(error)
    return []
  }
}

function instructionOf({ submitted_at: _, ...instruction }: AttemptUnderWay) {
  return instruction
}

function byId(answer: RailAnswer): readonly [string, RailAnswer] {
  return [answer.settlement_id, answer]
}

/**
 * Begins and ends attempts of a rail that executes nothing, by one act, so each settlement is written once. Attempts that an earlier act
 * without confirmations began are in progress, and are followed like any other.
 * @throws as settleAttempts
 */
async function settleAtOnce(
  attempts: readonly NamedAttempt[],
  confirmation: (settlement_id: string) => RailAnswer,
  begin: ActOf,
  ports: SettlementPorts,
): Promise<SettledAttempts> {
  const confirmed = attempts.map((attempt) => ({
    ...attempt,
    confirmation: factsOf(confirmation(attempt.settlement_id)),
  }))
  const command = { kind: 'submit_settlements', rail: ports.rail.name, attempts: confirmed } as const
  const begun = (await act(ports, begin, command)) as SubmittedSettlements
  await ports.reached?.('after-conclude')
  return {
    confirmed: begun.attempts.filter(({ result }) => result === 'confirmed').length,
    failed: 0,
    open: begun.attempts.flatMap((one) => (one.result === 'submitted' ? one.instruction.attempt_id : [])),
  }
}

function factsOf({ message, external_reference, rail_response_reference, confirmation_count }: RailAnswer) {
  return { message, external_reference, rail_response_reference, confirmation_count }
}

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
 * Begins attempts, tells the rail, and concludes those that it has a final answer for. Every step can be done again: an attempt is
 * begun once by its id, the rail executes a settlement once, an attempt is concluded once. So whoever ends in between, whoever
 * begins anew, and two that do it at once come to one effect.
 * @throws {ServiceError} no engine answers. What the rail does not answer is left open.
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
 * Looks again at attempts that are under way: asks the rail what became of them, tells it once more of those that it has never heard
 * of, and concludes what is final or takes too long. Can be done again, like settleAttempts.
 * @throws as settleAttempts
 */
export async function followAttempts(attempt_ids: readonly string[], ports: SettlementPorts): Promise<SettledAttempts> {
  const { rail, work } = ports
  const under_way = await work.attemptsUnderWay(attempt_ids)
  if (under_way.length === 0) return NOTHING_SETTLED
  const ids = under_way.map(({ settlement_id }) => settlement_id)
  const told = new Map((await askRail(ports, (signal) => rail.statusOf(ids, signal))).map(byId))
  const unheard = under_way.filter(({ settlement_id }) => told.get(settlement_id)?.result === 'unknown')
  if (unheard.length > 0) {
    const again = await askRail(ports, (signal) => rail.submit(unheard.map(instructionOf), signal))
    for (const answer of again) told.set(answer.settlement_id, answer)
  }
  return conclude(under_way, [...told.values()], ports)
}

async function conclude(
  under_way: readonly AttemptUnderWay[],
  answers: readonly RailAnswer[],
  ports: SettlementPorts,
): Promise<SettledAttempts> {
  await ports.reached?.('after-rail')
  const told = new Map(answers.map(byId))
  const limits = { finality_ms: ports.rail.finality_ms, attempts_max: ports.policy.attempts_max }
  const results: AttemptResult[] = []
  const open: string[] = []
  for (const attempt of under_way) {
    const answer = told.get(attempt.settlement_id) ?? railAnswer(attempt.settlement_id, 'unknown')
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

/** A rail that does not answer has said nothing; it is told, and the attempts stay under way. */
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
 * Begins and ends attempts of a rail that has nothing to execute, by one act: each settlement is written once and not twice. What the
 * same act began before it came with confirmations is under way, and is followed like any other.
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
  const told = (await act(ports, begin, command)) as SubmittedSettlements
  await ports.reached?.('after-conclude')
  return {
    confirmed: told.attempts.filter(({ result }) => result === 'confirmed').length,
    failed: 0,
    open: told.attempts.flatMap((one) => (one.result === 'submitted' ? one.instruction.attempt_id : [])),
  }
}

function factsOf({ message, external_reference, rail_response_reference, confirmation_count }: RailAnswer) {
  return { message, external_reference, rail_response_reference, confirmation_count }
}

import type { SubmittedSettlements } from '../../trading/engine/settlement-commands.ts'
import type { RailAnswer } from '../../trading/settlement/settlement-rail.ts'
import type { NamedAttempt, SettledAttempts } from './settle-attempts.ts'
import { type ActOf, act, type SettlementPorts } from './settlement-ports.ts'

/**
 * Begins and ends attempts of a rail that has nothing to execute, by one act: each settlement is written once and not twice. What the
 * same act began before it came with confirmations is under way, and is followed like any other.
 * @throws as settleAttempts
 */
export async function settleAtOnce(
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

import { deriveId } from '../../primitives/ids.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Operate } from '../../trading/engine/submission.ts'
import { refuse } from '../../trading/market/refuse.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import { type ListingPorts, planNow } from './list-markets.ts'
import type { ListingCorrection } from './listing-act.ts'

type Act = Omit<Operate, 'kind'>

/** A correction that one person asks for and another one approves. */
export type Approval = { readonly market_id: string; readonly approved_by: string }

/**
 * Corrects the resolution of a listing whose reference was corrected to the reference's current one, once the dispute window of the policy
 * has ended. Repeating it has no further effect.
 * @param sign makes the act of the two people
 * @returns the correction, and the engine's answer
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: there is nothing to correct, or not yet; SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN
 */
export async function approveCorrection(
  ports: ListingPorts,
  { market_id, approved_by }: Approval,
  sign: (act: Pick<Act, 'act_id' | 'command'>) => Promise<Act>,
): Promise<{ readonly correction: ListingCorrection; readonly answer: unknown }> {
  const now: Micros = (ports.now ?? wallClock)()
  const { corrections } = await planNow(ports, now)
  const correction =
    corrections.find((found) => found.market_id === market_id) ??
    refuse('market', market_id, 'a listing whose reference was corrected after it was resolved here')
  const { approvable_at, command } = correction
  if (now < toMicros(approvable_at)) refuse('now', 'the dispute window', `an approval from ${approvable_at} on`)
  const act_id = deriveId('act', 'listing', market_id, 'correct', command.resolution_id)
  const answer = await performAct(ports.client, await sign({ act_id, command: { ...command, approved_by } }))
  return { correction, answer }
}

import { randomBytes } from 'node:crypto'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'

/** Who performs an act of an operator, and why; recorded with the act. */
export type Actor = { readonly actor: string; readonly reason: string }

/**
 * Has an operator's act done, once: where the engine changes hands meanwhile, the same act is asked for again.
 * @returns what the engine answers, null where that is nothing
 * @throws {ServiceError} the engine's refusal; SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN where none answers for some seconds
 */
export function performOperatorAct(client: EngineClient, actor: Actor, command: OperatorCommand): Promise<unknown> {
  return performAct(client, { act_id: `act_${randomBytes(16).toString('hex')}`, ...actor, command })
}

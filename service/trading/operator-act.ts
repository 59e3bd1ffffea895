import { randomBytes } from 'node:crypto'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'

/** Actor and reason of an operator's act, recorded with it. */
export type Actor = { readonly actor: string; readonly reason: string }

/**
 * Performs an operator's act once; if another engine takes over meanwhile, the same act is repeated.
 * @returns the engine's answer, null if it is empty
 * @throws {ServiceError} the engine's refusal; SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN if no engine answers for some seconds
 */
export function performOperatorAct(client: EngineClient, actor: Actor, command: OperatorCommand): Promise<unknown> {
  return performAct(client, { act_id: `act_${randomBytes(16).toString('hex')}`, ...actor, command })
}

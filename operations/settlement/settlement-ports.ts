import type { Micros } from '../../primitives/instants.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import type { SettlementRail } from '../../trading/settlement/settlement-rail.ts'
import type { SettlementWork } from '../../trading/store/settlement/settlement-work.ts'
import type { SettlementPolicy } from './settlement-policy.ts'

/** Points between the steps at which a process may end: done steps stay, and the next process continues after them. */
export const SETTLEMENT_STEPS = [
  'before-submit',
  'after-submit',
  'after-rail',
  'after-conclude',
  'before-finalize',
  'after-finalize',
  'after-pay',
] as const
export type SettlementStep = (typeof SETTLEMENT_STEPS)[number]

/** Ports of settlement and resolution. */
export type SettlementPorts = {
  readonly work: SettlementWork
  readonly client: EngineClient
  readonly rail: SettlementRail
  readonly policy: SettlementPolicy
  readonly now: () => Micros
  readonly signal: AbortSignal
  /** Told of what went wrong and is tried again. */
  readonly on_problem: (error: unknown) => void
  /** Tests end the process here; left out: nothing. */
  readonly reached?: (step: SettlementStep) => Promise<void>
}

export type ActOf = { readonly act_id: string; readonly actor: string; readonly reason: string }

/** Has the engine do something once. @throws as performAct */
export function act({ client, signal }: SettlementPorts, of: ActOf, command: OperatorCommand): Promise<unknown> {
  return performAct(client, { ...of, command }, signal)
}

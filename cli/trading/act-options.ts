import { userInfo } from 'node:os'
import { Option } from 'commander'
import type { Actor } from '../../service/trading/operator-act.ts'

/** Actor and reason, recorded with every operator action, and the keys that sign it. */
export type ActFlags = {
  readonly actor?: string
  readonly reason: string
  readonly operatorKey?: string
  readonly approvalKey?: string
  readonly save?: string
}

/** Options of a command that records who acts and why, and is not signed. */
export const actorOptions = (): readonly Option[] => [
  new Option('--actor <name>', 'your name as a registered operator (default: the user name on this machine)'),
  new Option('--reason <text>', 'reason, recorded').makeOptionMandatory(),
]

/** Options of a command that an operator signs and sends. */
export const signingOptions = (): readonly Option[] => [
  ...actorOptions(),
  new Option('--operator-key <file>', 'your key file (default: <home>/operator-keys/<name>.json)'),
  new Option('--approval-key <file>', 'key file of the one who approves (default: as --operator-key)'),
]

/** Options of a command that an operator signs, and sends or saves. */
export const actOptions = (): readonly Option[] => [
  ...signingOptions(),
  new Option('--save <file>', 'sign and write the act to a file, for `tidemark operator approve`; nothing is sent'),
]

/** Returns the actor and reason to record, with the key files that were named. */
export function actorOf({ actor, reason, operatorKey, approvalKey }: ActFlags): Actor {
  return { actor: actor ?? userInfo().username, reason, operator_key: operatorKey, approval_key: approvalKey }
}

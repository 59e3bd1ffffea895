import { userInfo } from 'node:os'
import { Option } from 'commander'
import type { Actor } from '../../service/trading/operator-act.ts'

/** Actor and reason, recorded with every operator action. */
export type ActFlags = { readonly actor?: string; readonly reason: string }

export const actorOption = () =>
  new Option('--actor <name>', 'your name, recorded (default: the user name on this machine)')

export const reasonOption = () => new Option('--reason <text>', 'reason, recorded').makeOptionMandatory()

export const homeOption = () =>
  new Option('--home <dir>', 'folder of the embedded database (default: $TIDEMARK_HOME or .tidemark)')

/** Returns the actor and reason to record. */
export function actorOf({ actor, reason }: ActFlags): Actor {
  return { actor: actor ?? userInfo().username, reason }
}

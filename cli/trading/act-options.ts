import { userInfo } from 'node:os'
import { Option } from 'commander'
import type { Actor } from '../../service/trading/operator-act.ts'

/** Who does it, and why: recorded with every act of an operator. */
export type ActFlags = { readonly actor?: string; readonly reason: string }

export const actorOption = () =>
  new Option('--actor <name>', 'who does this; recorded (default: the name of the user of this machine)')

export const reasonOption = () => new Option('--reason <text>', 'why this is done; recorded').makeOptionMandatory()

export const homeOption = () =>
  new Option('--home <dir>', 'folder of the embedded database (default: $TIDEMARK_HOME or .tidemark)')

/** What is recorded of who did it, and why. */
export function actorOf({ actor, reason }: ActFlags): Actor {
  return { actor: actor ?? userInfo().username, reason }
}

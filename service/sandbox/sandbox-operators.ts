import { userInfo } from 'node:os'
import { type Actor, type ActPorts, performSignedAct, registeredKeys } from '../trading/operator-act.ts'
import { makeOperatorKey, operatorKeyFile, readOperatorKey } from '../trading/operator-key-file.ts'

/** Operator that opens a sandbox. */
export const SANDBOX_OPERATOR = 'sandbox'
/** Operator who approves what another one asks for, such as an adjustment of a fill. */
const SECOND_OPERATOR = 'second-operator'

/**
 * Registers the operators of a sandbox, with key files in its home: the service itself, a second one who approves, and the user of
 * this machine, who is the default actor of commands. Operators that are registered already stay.
 */
export async function ensureSandboxOperators(ports: ActPorts): Promise<void> {
  for (const operator_id of new Set([SANDBOX_OPERATOR, SECOND_OPERATOR, userInfo().username]))
    await ensureOperator(ports, operator_id)
}

async function ensureOperator(ports: ActPorts, operator_id: string): Promise<void> {
  const known = await registeredKeys(ports, { actor: SANDBOX_OPERATOR })
  if (known.some((key) => key.operator_id === operator_id)) return
  const people = new Set(known.map((key) => key.operator_id))
  // A database that others administer has operators of its own; a sandbox in it registers nobody.
  if (!people.has(SANDBOX_OPERATOR)) return
  const file = operatorKeyFile(ports.home, operator_id)
  const key = (await readOperatorKey(file)) ?? (await makeOperatorKey(file, operator_id))
  const { operator_key_id, public_key } = key
  const by: Actor = { actor: SANDBOX_OPERATOR, reason: 'operators of the sandbox' }
  const approved_by = people.size < 2 ? null : SECOND_OPERATOR
  const what = { operator_key_id, operator_id, public_key, environment: ports.environment, approved_by }
  await performSignedAct(ports, by, { kind: 'register_operator_key', ...what })
}

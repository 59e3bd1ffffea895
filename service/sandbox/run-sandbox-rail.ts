import { waitFor } from '../../operations/live/wait-for.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Transfer } from '../../protocol/resources/transfer.ts'
import { seenTransfer } from '../../trading/engine/transfer-commands.ts'
import { type Actor, performSignedAct } from '../trading/operator-act.ts'
import type { SandboxPorts } from './open-sandbox.ts'
import { SANDBOX_OPERATOR } from './sandbox-operators.ts'

/** Time that the rail takes, in which a transfer can be canceled. */
const TAKES_MICROS = 3_000_000
const EVERY_MS = 1_000
/** Beginning of destinations of withdrawals that the rail refuses, so that clients can try it. */
const REFUSED = 'fail'
const ACTOR: Actor = { actor: SANDBOX_OPERATOR, reason: 'rail of the sandbox' }

type RailPorts = Pick<SandboxPorts, 'client' | 'reads' | 'home' | 'environment' | 'note'>

/** Confirms deposits and withdrawals of a sandbox a few seconds after they were requested, until the signal is aborted. */
export async function runSandboxRail(
  ports: RailPorts,
  signal: AbortSignal,
  on_problem: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await concludeDue(ports, signal).catch(on_problem)
    await waitFor(EVERY_MS, signal)
  }
}

async function concludeDue(ports: RailPorts, signal: AbortSignal): Promise<void> {
  const until = formatMicros(wallClock() - TAKES_MICROS)
  const due = { until, transfer_id: null, account_id: null, is_open: true, limit: 100 }
  for (const transfer of await ports.reads.listTransfers(due)) {
    if (signal.aborted) return
    await conclude(ports, transfer)
  }
}

async function conclude(ports: RailPorts, asked: Transfer): Promise<void> {
  const { transfer_id, destination } = asked
  const refused = destination?.startsWith(REFUSED) === true
  const failure = refused ? 'the sandbox refuses destinations that begin with fail' : null
  const end = { result: refused ? 'failed' : 'confirmed', failure } as const
  const transfer = seenTransfer(asked)
  const external_reference = `sandbox/${transfer_id}`
  try {
    await performSignedAct(ports, ACTOR, {
      kind: 'conclude_transfer',
      transfer_id,
      external_reference,
      ...end,
      transfer,
    })
  } catch (error) {
    // It was canceled meanwhile.
    if (!isServiceError(error, 'VALIDATION_USAGE_INVALID')) throw error
  }
}

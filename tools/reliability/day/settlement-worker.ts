import { runSettlement } from '../../../operations/settlement/run-settlement.ts'
import { SETTLEMENT_POLICY } from '../../../operations/settlement/settlement-policy.ts'
import type { SettlementStep } from '../../../operations/settlement/settlement-ports.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import { createPool } from '../../../trading/store/create-pool.ts'
import { settlementWork } from '../../../trading/store/settlement/settlement-work.ts'
import { DAY_POLICY, dayRail } from './day-rail.ts'

/** Arguments of the settlement worker process: DATABASE_URL, folder of the rail's record, seed, and the point where it ends itself. */
export type WorkerArgs = {
  readonly url: string
  readonly rail: string
  readonly seed: string
  /** The step, and at which of its times; null: nowhere. */
  readonly dies_at: { readonly step: SettlementStep; readonly time: number } | null
}

const { url, rail, seed, dies_at } = JSON.parse(process.argv[2]!) as WorkerArgs
const pool = createPool({ url, size: 4, name: 'settlement worker', onError: () => undefined })
let seen = 0
const reached = async (step: SettlementStep): Promise<void> => {
  if (step !== dies_at?.step) return
  seen += 1
  if (seen === dies_at.time) process.kill(process.pid, 'SIGKILL')
}
process.stdin.resume().once('end', () => process.exit(0))
process.stdout.write('settling\n')
await runSettlement(
  {
    work: settlementWork(pool),
    client: connectEngine({ pool }),
    rail: await dayRail(rail, seed),
    policy: { ...SETTLEMENT_POLICY, ...DAY_POLICY },
    now: wallClock,
    signal: new AbortController().signal,
    on_problem: (error) => void process.stderr.write(`settlement: ${error instanceof Error ? error.message : error}\n`),
    reached,
  },
  { late_ms: () => 0 },
)

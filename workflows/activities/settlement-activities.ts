import { holdWhilePaused } from '../../operations/pause/hold-while-paused.ts'
import { awaitWindow } from '../../operations/settlement/await-window.ts'
import { awaitWork } from '../../operations/settlement/await-work.ts'
import { resolutionStep } from '../../operations/settlement/resolution-step.ts'
import { followBatch, settleBatch } from '../../operations/settlement/settle-batch.ts'
import { settleWindows } from '../../operations/settlement/settle-windows.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type SettlementActivities = Pick<
  Activities,
  'awaitSettlementWork' | 'settleWindows' | 'awaitWindow' | 'settleBatch' | 'followBatch' | 'resolutionStep'
>

/** Longest wait for work before the activity returns without any. */
const WAIT_MS = 60_000

/** Creates the activities of settlement and resolution of our own markets. */
export function settlementActivities({ settlement, pauses }: WorkerPorts): SettlementActivities {
  const on = <T>(work: (ports: SettlementPorts, watch: Watch) => Promise<T>): Promise<T> =>
    watched(async (watch) => {
      const { signal } = watch
      if (settlement === null) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'this worker has no trading database (DATABASE_URL)')
      }
      const done = await work(settlement(signal), watch)
      signal.throwIfAborted()
      return done
    })
  return {
    awaitSettlementWork: (known) => on((ports) => awaitWork(known, WAIT_MS, ports)),
    settleWindows: (args) =>
      on(async (ports, { signal, heartbeat }) => {
        const on_pause = { pauses, schedule_id: SCHEDULE_IDS.settle, signal }
        const settled = await holdWhilePaused(on_pause, (unpaused) =>
          settleWindows(args, { ...ports, signal: unpaused }, heartbeat),
        )
        return settled ?? { windows: 0, confirmed: 0, failed: 0 }
      }),
    awaitWindow: ({ asset_id }) => on((ports) => awaitWindow(asset_id, WAIT_MS, ports)),
    settleBatch: ({ attempts, under_way }) => on((ports) => settleBatch({ attempts, under_way }, ports)),
    followBatch: ({ attempt_ids }) => on((ports) => followBatch(attempt_ids, ports)),
    resolutionStep: (of) => on((ports) => resolutionStep(of, ports)),
  }
}

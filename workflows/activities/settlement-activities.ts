import { awaitWindow } from '../../operations/settlement/await-window.ts'
import { awaitWork } from '../../operations/settlement/await-work.ts'
import { resolutionStep } from '../../operations/settlement/resolution-step.ts'
import { followBatch, settleBatch } from '../../operations/settlement/settle-batch.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

type SettlementActivities = Pick<
  Activities,
  'awaitSettlementWork' | 'awaitWindow' | 'settleBatch' | 'followBatch' | 'resolutionStep'
>

/** Longest wait for work before the activity returns without any. */
const WAIT_MS = 60_000

/** Creates the activities of settlement and resolution of our own markets. */
export function settlementActivities({ settlement }: WorkerPorts): SettlementActivities {
  const on = <T>(work: (ports: SettlementPorts) => Promise<T>): Promise<T> =>
    watched(async ({ signal }) => {
      if (settlement === null) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'this worker has no trading database (DATABASE_URL)')
      }
      const done = await work(settlement(signal))
      signal.throwIfAborted()
      return done
    })
  return {
    awaitSettlementWork: (known) => on((ports) => awaitWork(known, WAIT_MS, ports)),
    awaitWindow: ({ asset_id }) => on((ports) => awaitWindow(asset_id, WAIT_MS, ports)),
    settleBatch: ({ attempts, under_way }) => on((ports) => settleBatch({ attempts, under_way }, ports)),
    followBatch: ({ attempt_ids }) => on((ports) => followBatch(attempt_ids, ports)),
    resolutionStep: (of) => on((ports) => resolutionStep(of, ports)),
  }
}

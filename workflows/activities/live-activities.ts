import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

/** Creates the activities of live data: ticks and venue sessions. */
export function liveActivities({ publish, ingest }: WorkerPorts): Pick<Activities, 'publishDue' | 'ingestSession'> {
  return {
    publishDue: () => watched(() => publish()),
    ingestSession: (args) =>
      watched(async (watch) => {
        const report = await ingest(args, watch)
        watch.signal.throwIfAborted() // no next session after a cancelled one
        return report
      }),
  }
}

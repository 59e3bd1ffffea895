import type { Activities } from './activity-types.ts'
import { watched } from './watched.ts'
import type { WorkerPorts } from './worker-ports.ts'

/** What happens with the clock: ticks and venues. */
export function liveActivities({ publish, ingest }: WorkerPorts): Pick<Activities, 'publishDue' | 'ingestSession'> {
  return {
    publishDue: () => watched(() => publish()),
    ingestSession: (args) =>
      watched(async (watch) => {
        const report = await ingest(args, watch)
        watch.signal.throwIfAborted() // a session that was ended is not followed by the next one
        return report
      }),
  }
}

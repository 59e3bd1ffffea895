import type { RunSampleRequest } from '../../operations/sample/run-sample.ts'
import { durationMicros, toMicros } from '../../primitives/instants.ts'
import { replayWithReport } from '../../report/replay-with-report.ts'
import { simulateFiles } from '../../simulator/files/simulate-files.ts'
import { VENUES } from '../../simulator/world/options.ts'

/** Simulator and report functions that the sample needs. */
export const SAMPLE_TOOLS: Pick<RunSampleRequest, 'write_world' | 'write_report'> = {
  write_world: async ({ seed, start, days, markets, interval, venues }, dir, signal) => {
    const options = { seed, days, markets, start: toMicros(start), interval: durationMicros(interval, 'interval') }
    await simulateFiles({ options, venues: VENUES.filter((venue) => venues.includes(venue)), dir, signal })
  },
  write_report: async (request) => {
    for await (const _ of replayWithReport(request)) request.signal?.throwIfAborted()
  },
}

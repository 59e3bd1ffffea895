import type { RunSampleRequest } from '../../operations/sample/run-sample.ts'
import { durationMicros, toMicros } from '../../primitives/instants.ts'
import { replayWithReport } from '../../report/replay-with-report.ts'
import { simulateFiles } from '../../simulator/files/simulate-files.ts'
import { VENUES } from '../../simulator/world/options.ts'
import { sampleGovernance } from '../committee/story/sample-governance.ts'
import { sandboxAccounts, type UpRun } from './up-options.ts'

/** Returns what the sample of a run needs; without a sandbox nobody governs its indexes. */
export function sampleToolsOf(run: UpRun): SampleTools {
  const is_governed = sandboxAccounts(run) > 0
  return { ...SAMPLE_TOOLS, governance: is_governed ? sampleGovernance(run.settings.home, run.signal) : undefined }
}

type SampleTools = Pick<RunSampleRequest, 'write_world' | 'write_report' | 'governance'>

/** Simulator and report functions that the sample needs. */
const SAMPLE_TOOLS: SampleTools = {
  write_world: async ({ seed, start, days, markets, interval, venues }, dir, signal) => {
    const options = { seed, days, markets, start: toMicros(start), interval: durationMicros(interval, 'interval') }
    await simulateFiles({ options, venues: VENUES.filter((venue) => venues.includes(venue)), dir, signal })
  },
  write_report: async (request) => {
    for await (const _ of replayWithReport(request)) request.signal?.throwIfAborted()
  },
}

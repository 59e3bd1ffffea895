import type { ReplayLine, ReplayRequest } from '../operations/replay/replay-index.ts'
import { openReportedReplay } from '../operations/replay/reported-replay.ts'
import { writeOutput } from '../warehouse/export/output-file.ts'
import { differingTicks } from './published-comparison.ts'
import { renderReplayReport } from './replay-report.ts'
import { ReplaySummarizer } from './replay-summary.ts'

/**
 * A replay whose report is written to `file` after its last line; a caller that stops earlier writes none.
 * @throws {ServiceError} as replayIndex; VALIDATION_USAGE_INVALID where the file cannot be written
 */
export async function* replayWithReport(
  request: ReplayRequest & { readonly file: string },
): AsyncGenerator<ReplayLine> {
  const replay = await openReportedReplay(request)
  try {
    const summarizer = new ReplaySummarizer(replay)
    for (const tick of replay.ticks()) {
      summarizer.add(tick)
      yield tick.line
    }
    const { subject, revisions } = replay
    const summary = summarizer.result()
    const late = await replay.latePublications(differingTicks(summary.comparison))
    const report = { subject, summary, revisions, late }
    await writeOutput(request.file, renderReplayReport(report), { option: 'report' })
  } finally {
    await replay.close()
  }
}

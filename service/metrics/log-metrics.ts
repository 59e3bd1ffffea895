import type { MetricSet } from '../../api/admin/metric-set.ts'
import type { Output } from '../output.ts'

/** Adds the metric of the process's log, so that an alert can ask for errors of every process. */
export function logMetrics(set: MetricSet, output: Pick<Output, 'logged'>): void {
  set.totals('tidemark_log_lines_total', 'Log lines since the start, by level.', 'level', () => output.logged())
}

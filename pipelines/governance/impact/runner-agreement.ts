import type { ChangeClass, ImpactAgreement } from '../../../vocabulary/governance.ts'

/** Digest and class that a runner has signed. */
export type RunnerReport = {
  readonly runner: string
  readonly engine: string
  readonly impact_digest: string
  readonly change_class: ChangeClass
}

/** Runners who sign one digest before a change is proposed. */
export const RUNNERS = 2

/** Returns the agreement of runners. @param latest the last report of each runner, at least one */
export function agreementOf(latest: readonly Pick<RunnerReport, 'impact_digest'>[]): ImpactAgreement {
  if (new Set(latest.map(({ impact_digest }) => impact_digest)).size > 1) return 'disputed'
  return latest.length >= RUNNERS ? 'agreed' : 'one_runner'
}

/** Returns the last report of each runner, in their order. @param reports in the order of their signatures */
export function latestReports<R extends Pick<RunnerReport, 'runner'>>(reports: readonly R[]): readonly R[] {
  return reports.filter(({ runner }, i) => !reports.slice(i + 1).some((later) => later.runner === runner))
}

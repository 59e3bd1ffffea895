import { parseGovernanceAct } from '../acts.ts'
import { reportOf } from '../attest.ts'
import type { AnyImpact } from './parse-impact.ts'
import type { RunnerReport } from './runner-agreement.ts'

/** Fields of a recorded act that its report is read from. */
type RecordedText = Readonly<Record<string, unknown>>

/** Report with its exact text and the act that recorded it. */
export type RecordedReport = RunnerReport & {
  readonly report: AnyImpact
  readonly text: string
  readonly act: RecordedText
}

/** Returns the reports that runners have signed for a change, in the order of their signatures. @param acts recorded ones, in any order */
export function runnerReports(acts: readonly RecordedText[], change_id: string): readonly RecordedReport[] {
  return acts
    .filter(({ act, subject_id, sequence }) => act === 'attest' && subject_id === change_id && sequence !== undefined)
    .sort((a, b) => Number(a.sequence) - Number(b.sequence))
    .map((row) => {
      const act = parseGovernanceAct(String(row.signed_text))
      const report = reportOf(act)
      const { engine, impact_digest, report: text } = act.details
      const { change_class } = report
      const signed = {
        runner: act.actor_id,
        engine: String(engine),
        impact_digest: String(impact_digest),
        change_class,
      }
      return { ...signed, report, text: String(text), act: row }
    })
}

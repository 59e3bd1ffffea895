import { kindOf, targetIdOf } from '../../pipelines/governance/impact/parse-impact.ts'
import { agreementOf, latestReports } from '../../pipelines/governance/impact/runner-agreement.ts'
import { runnerReports } from '../../pipelines/governance/impact/runner-reports.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf } from './pick.ts'

/** Returns the impact of a change as its runners have signed it; null: none has. @param acts known acts, in any order */
export function impactOf(acts: readonly Row[], change_id: string) {
  const reports = runnerReports(acts, change_id)
  const last = reports.at(-1)
  if (last === undefined) return null
  const latest = latestReports(reports)
  const agreement = agreementOf(latest)
  const is_agreed = agreement === 'agreed'
  const { base_hash, content_hash } = last.report
  const kind = kindOf(last.report)
  const target_id = targetIdOf(last.report)
  const index_id = target_id.startsWith('idx_') ? target_id : null
  const texts = new Map(reports.map(({ impact_digest, text }) => [impact_digest, text]))
  return {
    ...{ change_id, kind, target_id, index_id, base_hash, content_hash, agreement },
    impact_digest: is_agreed ? last.impact_digest : null,
    change_class: is_agreed ? last.change_class : null,
    attestations: reports.map((report) => {
      const { runner, engine, impact_digest, change_class, act } = report
      return {
        ...{ runner, engine, impact_digest, change_class },
        is_latest: latest.includes(report),
        ...fieldsOf(act as Row, ['act_id', 'acted_at', 'published_at']),
      }
    }),
    reports: [...texts].map(([impact_digest, report]) => ({ impact_digest, report })),
    published_at: (last.act as Row).published_at,
  }
}

import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { describeRebalanceFaults } from '../../pipelines/governance/scheduled-rebalance.ts'
import { versionOfContent } from '../../pipelines/governance/version-content.ts'
import type { RebalanceFault } from '../../pipelines/selection/next-version.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { durationMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { verifyRebalance } from '../selection/verify-rebalance.ts'

/**
 * Refuses a scheduled rebalance that is not exactly the announced composition, was announced too late, or is not what its rule
 * selects again.
 * @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED
 */
export async function checkRebalance(warehouse: Warehouse, proposal: Pick<Proposal, 'content' | 'rule'>) {
  const faults = await rebalanceFaultsOf(warehouse, proposal)
  if (faults.length === 0) return
  throw notAllowed(
    'GOVERNANCE_IMPACT_REQUIRED',
    'impact_digest',
    `none, and the version is not a scheduled rebalance: ${describeRebalanceFaults(faults)}`,
    'exactly the announced composition, or the digest of an impact that two runners have signed',
  )
}

/** Returns why a version is not a scheduled rebalance by the published records; empty: it is one. */
export async function rebalanceFaultsOf(
  warehouse: Warehouse,
  { content, rule }: Pick<Proposal, 'content' | 'rule'>,
): Promise<readonly RebalanceFault[]> {
  const { file, version } = versionOfContent(content).defined
  const weights = version.constituents.map(({ target_weight }) => formatDecimal(target_weight, SCALE.weight))
  const lead = durationMicros(rule!.notice)
  return verifyRebalance(warehouse, version.index_id, { file, weights }, lead)
}

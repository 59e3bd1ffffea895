import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { IndexDescription } from '../../pipelines/index/version.ts'
import { rebalancedFile } from '../../pipelines/selection/next-version.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { incumbentsOf } from './plan-selections.ts'
import { type SelectedVersion, selectVersion } from './select-version.ts'

/** Selects the version that a rebalance makes of its base, from the facts of its instant. @throws {ServiceError} as selectVersion */
export async function selectRebalance(
  warehouse: Warehouse,
  base: DefinedVersion,
  index: IndexDescription,
  effective_from: Micros,
): Promise<SelectedVersion> {
  return selectVersion(warehouse, {
    index,
    methodology: base.version.methodology,
    file: rebalancedFile(base.file, effective_from),
    selected_as_of: effective_from - base.selection!.data_lead,
    incumbents: incumbentsOf(base.version),
  })
}

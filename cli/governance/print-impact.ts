import type {
  EligibilityImpact,
  EndImpact,
  MethodologyImpact,
} from '../../pipelines/governance/impact/change-document.ts'
import type { ImpactDocument } from '../../pipelines/governance/impact/impact-document.ts'
import type { ManipulationCosts } from '../../pipelines/governance/impact/manipulation-costs.ts'
import { type AnyImpact, isVersionImpact } from '../../pipelines/governance/impact/parse-impact.ts'
import { selectionRefusal } from '../../pipelines/governance/impact/selection-refusal.ts'
import { isWithoutData, WITHOUT_DATA } from '../../report/impact-tables.ts'
import type { Output } from '../../service/output.ts'

/** Prints the impact of any kind of change, and its digest. */
export async function printImpact(output: Output, document: AnyImpact, digest: string): Promise<void> {
  if (isVersionImpact(document)) await printVersion(output, document)
  else if (document.kind === 'methodology') await printMethodology(output, document)
  else if (document.kind === 'eligibility_policy') await printEligibility(output, document)
  else await printEnd(output, document)
  const range = 'from' in document ? `${document.from} to ${document.to}, as` : 'as'
  await output.line(`${range} known at ${document.as_of}`)
  await output.line(`impact_digest ${digest}`)
}

async function printVersion(output: Output, document: ImpactDocument): Promise<void> {
  const { levels, composition, change_id, change_class } = document
  const { ticks, absolute_basis_points } = levels
  await output.table(
    ['change', 'class', 'ticks', 'other level', 'other state', 'median bp', 'largest bp', 'turnover'],
    [
      [
        ...[change_id, change_class, ticks.compared, ticks.different_level, ticks.different_state],
        ...[absolute_basis_points?.p50, absolute_basis_points?.highest, composition.turnover],
      ],
    ],
  )
  await output.table(
    ['kind', 'name', 'before', 'after', 'ticks that differ', 'largest bp'],
    document.changes.map(({ kind, name, before, after, effect }) => [
      ...[kind, name, before, after, effect?.ticks_different, effect?.largest_bp],
    ]),
  )
  if (isWithoutData(document)) await output.line(WITHOUT_DATA)
  const costs = document.manipulation_cost
  if (costs !== undefined) await printCosts(output, costs)
}

async function printCosts(
  output: Output,
  { before, after }: NonNullable<ImpactDocument['manipulation_cost']>,
): Promise<void> {
  const row = (side: string, costs: ManipulationCosts | null) =>
    costs === null ? [] : [[side, ...rangeCells(costs), costs.ticks_examined, costs.ticks_without_depth]]
  await output.table(
    ['cost to move by 1 %', 'bound', 'least', 'median', 'greatest', 'ticks examined', 'without depth'],
    [...row('before', before), ...row('after', after)],
  )
}

/** Returns the bound with the most ticks: what suffices is known where the lower bound is not. */
function rangeCells({ notional_at_least, notional_sufficient }: ManipulationCosts) {
  const [name, range] =
    notional_at_least === null ? ['sufficient', notional_sufficient] : ['at least', notional_at_least]
  return [range === null ? null : name, range?.least, range?.median, range?.greatest]
}

async function printMethodology(output: Output, document: MethodologyImpact): Promise<void> {
  const { parameters, indexes, indexes_using, indexes_unlisted, not_computed } = document
  await output.line(`${document.target_id} ${document.version_before ?? 'new'} to ${document.version_after}`)
  await output.line(`change ${document.change_id}, class ${document.change_class}, used by ${indexes_using} indexes`)
  await output.table(
    ['parameter', 'before', 'after', 'alone: ticks that differ', 'largest bp', 'of index', 'not computed'],
    (document.changes ?? parameters.map((one) => ({ ...one, effect: null }))).map(({ name, before, after, effect }) => [
      ...[name, before, after, effect?.ticks_different, effect?.largest_bp],
      ...[effect?.largest_index_id, effect?.not_computed],
    ]),
  )
  await output.table(
    ['index', 'version', 'class of its levels', 'ticks', 'other level', 'other state', 'median bp', 'largest bp'],
    indexes.map(({ index_id, version, change_class, ticks, median_bp, largest_bp }) => [
      ...[index_id, version, change_class, ticks.compared, ticks.different_level, ticks.different_state],
      ...[median_bp, largest_bp],
    ]),
  )
  if (indexes_unlisted > 0) await output.line(`${indexes_unlisted} more indexes differ by less`)
  for (const { index_id, code } of not_computed) await output.line(`${index_id} cannot be computed so: ${code}`)
}

async function printEligibility(output: Output, document: EligibilityImpact): Promise<void> {
  const { markets, indexes, indexes_unlisted, target_id, version_before, version_after } = document
  await output.line(`${target_id} version ${version_before ?? 'none'} to ${version_after}`)
  await output.line(`change ${document.change_id}, class ${document.change_class}`)
  await output.table(
    ['markets', 'eligible', 'ineligible', 'unknown'],
    [
      ['before', markets.before?.eligible, markets.before?.ineligible, markets.before?.unknown],
      ['after', markets.after.eligible, markets.after.ineligible, markets.after.unknown],
    ],
  )
  await output.table(
    ['index', 'version', 'constituents', 'no longer eligible', 'selection enters', 'leaves', 'refused'],
    indexes.map((one) => [
      ...[one.index_id, one.version, one.constituents],
      one.no_longer_eligible.length + one.no_longer_eligible_unlisted,
      ...[one.selection?.entering.length, one.selection?.leaving.length, selectionRefusal(one.selection_refused)],
    ]),
  )
  if (indexes_unlisted > 0) await output.line(`${indexes_unlisted} more indexes select by it`)
}

async function printEnd(output: Output, document: EndImpact): Promise<void> {
  const { target_id, status_before, status_after, effective_from, last, dependents, substitute } = document
  await output.line(`${target_id}: ${status_before} to ${status_after} from ${effective_from}`)
  await output.line(`change ${document.change_id}, class ${document.change_class}`)
  await output.line(last === null ? 'no published level' : `last level ${last.level ?? 'none'} at ${last.tick_at}`)
  await output.table(
    ['depends on it', 'id', 'detail'],
    [
      ...dependents.proposals.map(({ proposal_id, kind, state }) => ['proposal', proposal_id, `${kind}, ${state}`]),
      ...dependents.substitute_of.map((id) => ['substitute of', id, null]),
      ...dependents.market_ids.map((id) => ['market whose rules name it', id, null]),
      ...dependents.severity_index_ids.map((id) => ['severity index of its events', id, null]),
      ...dependents.announced.map((start) => ['announced composition', start, null]),
      ...dependents.indexes.map((one) => ['index with the same outcomes', one.index_id, one.weight_shared]),
    ],
  )
  if (substitute !== null)
    await output.line(
      `substitute ${substitute.index_id}, ${substitute.status}, shares ${substitute.weight_shared} of the weight`,
    )
}

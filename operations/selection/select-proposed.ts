import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import { definitionText } from '../../pipelines/index/version-record.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import { planSelections } from './plan-selections.ts'
import type { SelectedVersion } from './select-version.ts'

/**
 * Selects the constituents of a proposed version again; null: it lists them.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: the rule selects or weighs others; as selectVersion
 */
export async function selectProposed(
  warehouse: Warehouse,
  { definition, defined }: { readonly definition: Definition; readonly defined: DefinedVersion },
  known: PublishedIndex | null,
): Promise<SelectedVersion | null> {
  if (defined.selection === null) return null
  const { constituents: _proposed, ...file } = defined.file
  const fresh = [{ ...defined, file }]
  const [planned] = await planSelections(warehouse, definition, { fresh, known, now: await warehouse.now() })
  const selected = planned!.selected!
  const [seen, wanted] = [defined, selected.defined].map(compositionText)
  if (seen === wanted) return selected
  const { version } = defined.version
  throw notAllowed(
    'VALIDATION_DEFINITION_INVALID',
    `constituents of version ${version}`,
    seen!,
    `${wanted}, by its selection`,
  )
}

function compositionText({ version, file }: DefinedVersion): string {
  const weights = version.constituents.map((one) => formatDecimal(one.target_weight, SCALE.weight))
  return `${definitionText(file)} ${weights.join(' ')}`
}

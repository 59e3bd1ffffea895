import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type SelectedVersion, selectVersion } from './select-version.ts'

/** A version to publish; `selected` null: its constituents are listed. */
export type PlannedVersion = { readonly defined: DefinedVersion; readonly selected: SelectedVersion | null }

/**
 * Selects the constituents of every version that does not list them; the incumbents are those of the version before.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: the data of a selection do not exist yet; as selectVersion
 */
export async function planSelections(
  warehouse: Warehouse,
  { index, methodology }: Definition,
  versions: {
    readonly fresh: readonly DefinedVersion[]
    readonly known: { readonly spec: { readonly versions: readonly IndexVersion[] } } | null
    readonly now: Micros
  },
): Promise<readonly PlannedVersion[]> {
  const { fresh, known, now } = versions
  const planned: PlannedVersion[] = []
  for (const defined of fresh) {
    const { selection, version, file } = defined
    if (selection === null) {
      planned.push({ defined, selected: null })
      continue
    }
    const selected_as_of = version.effective_from - selection.data_lead
    if (selected_as_of > now) throw tooEarly(defined, now + selection.data_lead)
    const before = planned.at(-1)?.defined.version ?? known?.spec.versions.at(-1)
    const incumbents = incumbentsOf(before)
    const request = { index, methodology, file, selected_as_of, incumbents }
    const selected = await selectVersion(warehouse, request)
    planned.push({ defined: selected.defined, selected })
  }
  return planned
}

/** Returns the markets of a version's constituents. */
export function incumbentsOf(version: IndexVersion | undefined): ReadonlySet<string> {
  return new Set((version?.constituents ?? []).map(({ legs, own }) => legs[own]!.market_id))
}

function tooEarly({ version, file }: DefinedVersion, latest: Micros) {
  const allowed = `at most ${formatMicros(latest)}: its selection needs facts of data_lead before`
  const field = `versions[${version.version}].effective_from`
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, file.effective_from, allowed)
}

import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import type { IndexDescription, IndexVersion, Methodology } from '../../pipelines/index/version.ts'
import { type StoredVersion, versionOf } from '../../pipelines/index/version-record.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDefinition } from '../index/apply-definitions.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { loadIndex } from '../index/load-index.ts'
import { fileOfTarget } from '../replay/replay-target.ts'
import { incumbentsOf } from './plan-selections.ts'
import { type SelectedVersion, selectVersion } from './select-version.ts'

/** Newest version of an index with a selection, or of a definition file. */
export type SelectableIndex = {
  readonly index: IndexDescription
  readonly methodology: Methodology
  /** Version whose rules select. */
  readonly base: DefinedVersion
  /** Versions of the index, by effective_from; none if it is a file. */
  readonly versions: readonly IndexVersion[]
}

/**
 * Selects what a rebalance of an index would select from the facts known at an instant (null: now). Nothing is published.
 * @param target id of an index, or a definition file
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_DEFINITION_INVALID: no selection; as selectVersion
 */
export async function selectIndex(
  warehouse: Warehouse,
  { target, as_of }: { readonly target: string; readonly as_of: Instant | null },
): Promise<SelectedVersion> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const found = fileOfTarget(target) !== null ? await ofFile(target) : await loadSelectable(warehouse, target)
  const in_force = found.versions.findLast(({ effective_from }) => at === null || effective_from <= at)
  const { constituents: _published, ...rules } = found.base.file
  const effective_from = (at ?? (await warehouse.now())) + found.base.selection!.data_lead
  return selectVersion(warehouse, {
    ...found,
    file: { ...rules, effective_from: formatMicros(effective_from) } as VersionFile,
    selected_as_of: at,
    incumbents: incumbentsOf(in_force),
  })
}

async function ofFile(file: string): Promise<SelectableIndex> {
  const { index, methodology, versions } = await readDefinition(file)
  const base = versions.findLast(({ selection }) => selection !== null)
  if (base === undefined) throw withoutSelection(file)
  return { index, methodology, base, versions: [] }
}

/** Loads an index whose newest version has a selection. @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_DEFINITION_INVALID */
export async function loadSelectable(warehouse: Warehouse, index_id: string): Promise<SelectableIndex> {
  const session = await openReadSession(warehouse, { as_of: null, tables: INDEX_TABLES })
  try {
    const { index, spec, version_rows } = await loadIndex(session, index_id)
    const newest = spec.versions.at(-1)
    const row = version_rows.at(-1)
    if (newest === undefined || row === undefined) throw withoutSelection(index_id)
    const base = versionOf(row as unknown as StoredVersion, index, newest.methodology)
    if (base.selection === null) throw withoutSelection(index_id)
    return { index, methodology: newest.methodology, base, versions: spec.versions }
  } finally {
    await session.close()
  }
}

function withoutSelection(target: string) {
  const allowed = 'an index whose newest version has a selection (docs/eligibility.md)'
  return notAllowed('VALIDATION_DEFINITION_INVALID', 'index', `${target}, whose constituents are listed`, allowed)
}

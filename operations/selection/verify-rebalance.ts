import { recordHash } from '../../pipelines/governance/documents.ts'
import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { VersionFile } from '../../pipelines/index/definition-schema.ts'
import type { IndexDescription } from '../../pipelines/index/version.ts'
import { type StoredVersion, versionOf } from '../../pipelines/index/version-record.ts'
import { type RebalanceFault, rebalanceFaults } from '../../pipelines/selection/next-version.ts'
import { announcementLead } from '../../pipelines/selection/schedule.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { INDEX_TABLES } from '../index/list-indexes.ts'
import { loadIndex } from '../index/load-index.ts'
import { replacedCompositions } from './frozen-compositions.ts'
import { incumbentsOf } from './plan-selections.ts'
import { announcedVersion, readProFormas } from './read-pro-formas.ts'
import { selectRebalance } from './select-rebalance.ts'
import { selectVersion } from './select-version.ts'

/** A version that somebody proposes, or that was announced: its definition with constituents, and their weights in that order. */
export type ProposedVersion = { readonly file: VersionFile; readonly weights: readonly string[] }

/**
 * Selects a version again from the facts of its instant, and returns why the schedule alone did not make it; empty: it did. It is not
 * selected again if another version was published in place of a composition.
 * @param proposed null: the newest announced composition
 * @param lead     time by which it had to be announced before its effect; null: that of the index, governed or not
 * @throws {ServiceError} INDEX_NOT_FOUND; VALIDATION_DEFINITION_INVALID: nothing was announced, or no version is before it
 */
export async function verifyRebalance(
  warehouse: Warehouse,
  index_id: string,
  proposed: ProposedVersion | null = null,
  lead: Micros | null = null,
): Promise<readonly RebalanceFault[]> {
  if (proposed === null && (await isReplaced(warehouse, index_id))) return ['REPLACED']
  const rows = await readProFormas(warehouse, { index_id, as_of: null })
  const { index, versions } = await loadVersions(warehouse, index_id)
  const effective_from = proposed === null ? rows.at(-1)?.effective_from : proposed.file.effective_from
  if (effective_from == null)
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'index', index_id, 'an index with an announced composition')
  const at = toMicros(effective_from)
  const base = versions.findLast(({ version }) => version.effective_from < at)
  if (proposed === null && base?.rebalance == null) return verifySelection(warehouse, index, versions, at)
  if (base?.selection == null)
    throw notAllowed(
      'VALIDATION_DEFINITION_INVALID',
      'index',
      index_id,
      'an index whose version before it has a selection',
    )
  const row = rows.find((one) => one.effective_from === effective_from)
  const announced =
    row === undefined ? null : compositionOf(announcedVersion(index, base.version.methodology, row).defined)
  const recomputed = await selectRebalance(warehouse, base, index, at)
  const { constituents: _of_base, ...rules } = base.file
  return rebalanceFaults({
    base: rules,
    rebalance: base.rebalance,
    proposed: proposed ?? announced!,
    announced:
      announced === null
        ? null
        : { ...announced, published_at: toMicros(row!.published_at), is_governed: row!.is_governed === true },
    recomputed: compositionOf(recomputed.defined),
    lead: lead ?? announcementLead(row?.is_governed === true),
  })
}

/** Reports whether another version was published in place of an announced composition. */
async function isReplaced(warehouse: Warehouse, index_id: string): Promise<boolean> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_pro_forma', 'index_version'] })
  try {
    return (await replacedCompositions(session, index_id)).replaced.length > 0
  } finally {
    await session.close()
  }
}

/** Selects a version again that no schedule made: the first one, or one that somebody defined. */
async function verifySelection(
  warehouse: Warehouse,
  index: IndexDescription,
  versions: readonly DefinedVersion[],
  at: Micros,
): Promise<readonly RebalanceFault[]> {
  const place = versions.findIndex(({ version }) => version.effective_from === at)
  const published = versions[place]!
  const { constituents: _selected, ...file } = published.file
  const recomputed = await selectVersion(warehouse, {
    index,
    methodology: published.version.methodology,
    file,
    selected_as_of: at - published.selection!.data_lead,
    incumbents: incumbentsOf(versions[place - 1]?.version),
  })
  const [seen, wanted] = [published, recomputed.defined].map((one) => recordHash(compositionOf(one)))
  return seen === wanted ? [] : ['SELECTION_DIFFERS']
}

function compositionOf({ version, file }: DefinedVersion): ProposedVersion {
  return { file, weights: version.constituents.map((one) => formatDecimal(one.target_weight, SCALE.weight)) }
}

async function loadVersions(warehouse: Warehouse, index_id: string) {
  const session = await openReadSession(warehouse, { as_of: null, tables: INDEX_TABLES })
  try {
    const { index, spec, version_rows } = await loadIndex(session, index_id)
    const versions = version_rows.map((row, i) =>
      versionOf(row as unknown as StoredVersion, index, spec.versions[i]!.methodology),
    )
    return { index, versions }
  } finally {
    await session.close()
  }
}

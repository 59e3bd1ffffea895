import { methodologyHash } from '../../pipelines/index/methodology.ts'
import type { ParameterTexts } from '../../pipelines/index/parameters.ts'
import type { Mismatch } from '../../pipelines/index/rebuild-leg.ts'
import type { IndexDescription, IndexVersion, Methodology } from '../../pipelines/index/version.ts'
import { methodologyOf, versionOf } from '../../pipelines/index/version-record.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { parseDecimal } from '../../primitives/decimal.ts'
import type { IndexId } from '../../primitives/ids.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion as VersionResource } from '../../protocol/resources/index-version.ts'
import type { Methodology as MethodologyResource } from '../../protocol/resources/methodology.ts'
import type { PublicApi } from '../http/public-api.ts'

/** Index version rebuilt from its public resources. */
export type FetchedVersion = {
  readonly version: IndexVersion
  readonly resource: VersionResource
  /** First field that contradicts its definition or methodology; null: they agree. */
  readonly mismatch: Mismatch | null
}

/** Reads the versions of an index by effective_from, rebuilt from versions, constituents and methodologies of the API. */
export async function fetchIndex(api: PublicApi, index_id: string): Promise<readonly FetchedVersion[]> {
  const index = describe(await api.read<Index>(`/indexes/${index_id}`))
  const resources = await api.list<VersionResource>(`/indexes/${index_id}/versions`)
  const versions = await Promise.all(resources.map((resource) => fetchVersion(api, index, resource)))
  return versions.sort((a, b) => a.version.effective_from - b.version.effective_from)
}

async function fetchVersion(
  api: PublicApi,
  index: IndexDescription,
  resource: VersionResource,
): Promise<FetchedVersion> {
  const { index_version_id, methodology_id, methodology_version } = resource
  const [constituents, published] = await Promise.all([
    api.list<Constituent>(`/indexes/${index.index_id}/versions/${index_version_id}/constituents`),
    api.read<MethodologyResource>(`/methodologies/${methodology_id}/versions/${methodology_version}`),
  ])
  const definition = { ...resource.definition, constituents: constituents.map((item) => item.definition) }
  const stored = { definition: canonicalJson(definition), constituents }
  const { version } = versionOf(stored, index, methodology(published))
  return {
    version,
    resource,
    mismatch: methodologyMismatch(published) ?? versionMismatch(version, resource) ?? weightMismatch(constituents),
  }
}

function methodology(published: MethodologyResource): Methodology {
  return methodologyOf({ ...published, parameters: canonicalJson(published.parameters) })
}

function methodologyMismatch(published: MethodologyResource): Mismatch | null {
  const { methodology_id, version, content_hash, parameters, text_sha256 } = published
  const found = methodologyHash(parameters as ParameterTexts, text_sha256)
  const step = `methodology ${methodology_id}@${version}: content_hash`
  return found === content_hash ? null : { step, expected: content_hash, actual: found }
}

/** Fields that a version repeats beside its definition. */
function versionMismatch(version: IndexVersion, stated: VersionResource): Mismatch | null {
  const coverage = parseDecimal(stated.minimum_coverage_ratio, 'minimum_coverage_ratio')
  const facts: readonly (readonly [field: string, stated: string, found: string])[] = [
    ['index_version_id', stated.index_version_id, version.index_version_id],
    ['effective_from', String(toMicros(stated.effective_from)), String(version.effective_from)],
    ['mode', stated.mode, version.methodology.parameters.mode],
    ['minimum_coverage_ratio', coverage.toFixed(), version.minimum_coverage_ratio.toFixed()],
  ]
  const wrong = facts.find(([, expected, actual]) => expected !== actual)
  return wrong === undefined
    ? null
    : { step: `version ${stated.version}: ${wrong[0]}`, expected: wrong[1], actual: wrong[2] }
}

/** The weight at publication is the target weight: no weight of a version drifts. */
function weightMismatch(constituents: readonly Constituent[]): Mismatch | null {
  const wrong = constituents.find((item) => item.effective_weight_at_publication !== item.target_weight)
  if (wrong === undefined) return null
  const { constituent_id, target_weight, effective_weight_at_publication } = wrong
  const step = `constituent ${constituent_id}: effective_weight_at_publication`
  return { step, expected: effective_weight_at_publication, actual: target_weight }
}

function describe(index: Index): IndexDescription {
  return { ...index, index_id: index.index_id as IndexId }
}

import { methodologyHash } from '../../pipelines/index/methodology.ts'
import type { ParameterTexts } from '../../pipelines/index/parameters.ts'
import type { Mismatch } from '../../pipelines/index/rebuild-leg.ts'
import type { IndexDescription, IndexVersion, Methodology } from '../../pipelines/index/version.ts'
import { methodologyOf, versionOf } from '../../pipelines/index/version-record.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { IndexId } from '../../primitives/ids.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { IndexVersion as VersionResource } from '../../protocol/resources/index-version.ts'
import type { Methodology as MethodologyResource } from '../../protocol/resources/methodology.ts'
import type { PublicApi } from '../http/public-api.ts'
import { differing, successionMismatch, versionMismatch } from './version-facts.ts'

/** Index version rebuilt from its public resources. */
export type FetchedVersion = {
  readonly version: IndexVersion
  readonly resource: VersionResource
  /** First field that contradicts its definition or methodology; null: they agree. */
  readonly mismatch: Mismatch | null
}

/** Reads the versions of an index by effective_from, rebuilt from versions, constituents and methodologies of the API. */
export async function fetchIndex(api: PublicApi, index_id: string): Promise<readonly FetchedVersion[]> {
  const index = await api.read<Index>(`/indexes/${index_id}`)
  const resources = await api.list<VersionResource>(`/indexes/${index_id}/versions`)
  const sorted = resources.toSorted((a, b) => toMicros(a.effective_from) - toMicros(b.effective_from))
  const asked = differing('index', index, { index_id })
  const described = { ...describe(index), index_id: index_id as IndexId }
  return Promise.all(
    sorted.map(async (resource) => {
      const fetched = await fetchVersion(api, described, resource)
      const effective_to = resource.effective_to === null ? null : toMicros(resource.effective_to)
      const mismatch = asked ?? fetched.mismatch ?? successionMismatch(sorted, resource)
      return { ...fetched, version: { ...fetched.version, effective_to }, mismatch }
    }),
  )
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
  const defined = versionOf({ definition: canonicalJson(definition), constituents }, index, methodology(published))
  const asked = { methodology_id, version: methodology_version }
  const mismatch =
    differing(`methodology ${methodology_id}@${methodology_version}`, published, asked) ??
    methodologyMismatch(published) ??
    versionMismatch(defined, { resource, constituents })
  return { version: defined.version, resource, mismatch }
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

function describe(index: Index): IndexDescription {
  return { ...index, index_id: index.index_id as IndexId }
}

import type { VersionFile } from '../../index/definition-schema.ts'
import type { Methodology } from '../../index/version.ts'
import type { Change } from '../proposal.ts'

/** Returns the content of a proposal for a version of an index: the version as written, under its methodology. */
export function versionContent(of: {
  readonly index_id: string
  readonly file: VersionFile
  readonly methodology: Pick<Methodology, 'methodology_id' | 'version' | 'name' | 'content_hash'>
}): Change['content'] {
  const { methodology_id, version, name, content_hash } = of.methodology
  const { effective_from } = of.file
  const content = {
    index_id: of.index_id,
    effective_from,
    version: of.file,
    methodology: { methodology_id, version, name, content_hash },
  }
  return content as unknown as Change['content']
}

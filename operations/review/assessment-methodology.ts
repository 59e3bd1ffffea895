import { readFile } from 'node:fs/promises'
import type { ParameterTexts } from '../../pipelines/evidence/parameter-texts.ts'
import { canonicalJson, contentHash } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'

/** A methodology as the code has it: who names it, its parameters and the hash of its normative text. */
export type CodedMethodology = {
  readonly methodology_id: string
  readonly version: string
  readonly subject: 'market_rating' | 'severity_assessment'
  readonly name: string
  readonly parameters: ParameterTexts
  readonly text_sha256: string
  readonly document: URL
}

/** content_hash = SHA-256 of the RFC 8785 form of {parameters, text_sha256}, as of an index methodology. */
export function assessmentMethodologyHash({ parameters, text_sha256 }: CodedMethodology): string {
  return contentHash({ parameters, text_sha256 })
}

/** Publishes a methodology with its whole text before the first record of it; the same again changes nothing. */
export async function publishMethodology(
  warehouse: Warehouse,
  methodology: CodedMethodology,
  stamp: Stamp,
): Promise<void> {
  const { methodology_id, version, subject, name, parameters, text_sha256 } = methodology
  const document = await readFile(methodology.document, 'utf8')
  invariant(
    sha256Hex(document) === text_sha256,
    `the text of ${methodology_id} ${version} is not the one that is coded`,
  )
  const content_hash = assessmentMethodologyHash(methodology)
  const row: Row = {
    methodology_id,
    version,
    subject,
    status: 'published',
    name,
    document_uri: `urn:tidemark:methodology:${methodology_id}:${version}`,
    content_hash,
    supersedes_version: null,
    parameters: canonicalJson(parameters),
    text_sha256,
    document,
  }
  const app_id = `PUBLISH_METHODOLOGY/${methodology_id}@${version}`
  await warehouse.append('assessment_methodology', [row], {
    app_id,
    app_sequence: 1,
    stamp,
    operation: 'PUBLISH_METHODOLOGY',
  })
}

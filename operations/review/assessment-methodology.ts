import { readFile } from 'node:fs/promises'
import type { ParameterTexts } from '../../pipelines/evidence/parameter-texts.ts'
import { canonicalJson, contentHash } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'

/** A methodology in code: its ids, parameters and the hash of its normative text. */
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
function assessmentMethodologyHash({ parameters, text_sha256 }: CodedMethodology): string {
  return contentHash({ parameters, text_sha256 })
}

/**
 * Publishes methodologies with their whole texts before the first record of any, unless they are published already. All at once: under the
 * recorded clock a table is stamped in order, so a second run could not publish its own at the instant of the first.
 */
export async function publishMethodologies(
  warehouse: Warehouse,
  methodologies: readonly CodedMethodology[],
  stamp: Stamp,
): Promise<void> {
  const known = new Set(await publishedMethodologies(warehouse))
  const missing = methodologies.filter((one) => !known.has(nameOf(one)))
  if (missing.length === 0) return
  await warehouse.append('assessment_methodology', await Promise.all(missing.map(rowOf)), {
    app_id: `PUBLISH_METHODOLOGY/${missing.map(nameOf).join('+')}`,
    app_sequence: 1,
    stamp,
    operation: 'PUBLISH_METHODOLOGY',
  })
}

async function publishedMethodologies(warehouse: Warehouse): Promise<readonly string[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['assessment_methodology'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/assessment_methodologies.sql'))
    return rows.map(({ methodology_id, version }) => nameOf({ methodology_id, version }))
  } finally {
    await session.close()
  }
}

function nameOf({ methodology_id, version }: { readonly methodology_id: unknown; readonly version: unknown }): string {
  return `${methodology_id}@${version}`
}

async function rowOf(methodology: CodedMethodology): Promise<Row> {
  const { methodology_id, version, subject, name, parameters, text_sha256 } = methodology
  const document = await readFile(methodology.document, 'utf8')
  invariant(
    sha256Hex(document) === text_sha256,
    `the text of ${methodology_id} ${version} is not the one that is coded`,
  )
  const content_hash = assessmentMethodologyHash(methodology)
  return {
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
}

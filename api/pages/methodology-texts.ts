import { readdirSync, readFileSync } from 'node:fs'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { once } from '../../primitives/once.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'

/** Normative texts of the methodologies that this version of the software publishes. */
const METHODOLOGY_TEXTS = new URL('../../docs/methodology/', import.meta.url)

/** A methodology as a path names it. */
export type MethodologyPath = { readonly methodology_id: string; readonly version: string }

/** Returns the published methodology that a path names, of indexes, ratings or severity. @throws {ServiceError} METHODOLOGY_NOT_FOUND */
function requireMethodology({ methodology_id, version }: MethodologyPath, reader: Reader): Row {
  const catalog = reader.catalog(null)
  const row =
    catalog.methodology(methodology_id, version) ??
    catalog.assessmentMethodology('market_rating', methodology_id, version) ??
    catalog.assessmentMethodology('severity_assessment', methodology_id, version)
  if (row !== null) return row
  throw new ServiceError(
    'METHODOLOGY_NOT_FOUND',
    'there is no methodology of this id and version; index versions, ratings and assessments name both',
    { field: 'methodology_id', value: methodology_id },
  )
}

/** Returns the document of a methodology: the RFC 8785 form of {parameters, text_sha256}, whose SHA-256 is its content_hash. */
export function methodologyDocument(path: MethodologyPath, reader: Reader): string {
  const row = requireMethodology(path, reader)
  const parameters = JSON.parse(row.parameters as string) as unknown
  return canonicalJson({ parameters, text_sha256: row.text_sha256 })
}

/**
 * Returns the normative text of a methodology, whose SHA-256 is its text_sha256. Records of index methodologies do not hold it:
 * it is served while this version of the software has it.
 * @throws {ServiceError} METHODOLOGY_NOT_FOUND
 */
export function methodologyText(path: MethodologyPath, reader: Reader): string {
  const row = requireMethodology(path, reader)
  const text = typeof row.document === 'string' ? row.document : normativeTexts().get(String(row.text_sha256))
  if (text !== undefined) return text
  throw new ServiceError(
    'METHODOLOGY_NOT_FOUND',
    'this version of the software does not have the text of the methodology',
    {
      field: 'version',
      value: String(row.version),
    },
  )
}

/** Every normative text by its SHA-256. */
const normativeTexts = once((): ReadonlyMap<string, string> => {
  const files = readdirSync(METHODOLOGY_TEXTS).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const texts = files.map((name) => readFileSync(new URL(name, METHODOLOGY_TEXTS), 'utf8'))
  return new Map(texts.map((text) => [sha256Hex(text), text]))
})

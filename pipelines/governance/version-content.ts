import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { formatDecimal, ONE, parseDecimal, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { type DefinedVersion, type Definition, decodeDefinition } from '../index/definition.ts'
import { explainDefinition } from '../index/definition-explain.ts'
import type { DefinitionFile, VersionFile } from '../index/definition-schema.ts'
import { methodologyHash } from '../index/methodology.ts'
import { resolveParameters } from '../index/parameters.ts'
import type { IndexDescription, Methodology } from '../index/version.ts'
import type { Change } from './proposal.ts'

/** Parts of a version that people vote on. */
export type VersionParts = {
  readonly index: IndexDescription
  readonly methodology: Methodology
  readonly supersedes_version: string | null
  /** The version as written, and its weights as its rule gave them. */
  readonly file: VersionFile
  readonly target_weights: Readonly<Record<string, string>>
  readonly supersedes_version_id: string | null
}

/** Returns the content of a proposal of a version: everything that its levels depend on, in one canonical spelling. */
export function versionContent(parts: VersionParts): Change['content'] {
  const { index, methodology, supersedes_version, file, target_weights, supersedes_version_id } = parts
  const content = {
    index_id: index.index_id,
    version: file.version,
    effective_from: formatMicros(toMicros(file.effective_from)),
    supersedes_version_id,
    index: {
      ...withoutNulls(index),
      base_value: formatDecimal(parseDecimal(index.base_value, 'base_value'), SCALE.level),
      base_date: formatMicros(toMicros(index.base_date)),
    },
    methodology: methodologyContent({ methodology, supersedes_version }),
    definition: file,
    target_weights,
  }
  return JSON.parse(canonicalJson(content)) as Change['content']
}

/** Returns the content of a proposal of a methodology. */
export function methodologyContent({
  methodology,
  supersedes_version,
}: Pick<VersionParts, 'methodology' | 'supersedes_version'>): Change['content'] {
  const { methodology_id, version, name, texts, content_hash } = methodology
  const content = { methodology_id, version, name, content_hash, supersedes_version, parameters: withoutNulls(texts) }
  return JSON.parse(canonicalJson(content)) as Change['content']
}

/** Returns the weights of a version, by constituent. */
export function weightsOf({ version }: Pick<DefinedVersion, 'version'>): Readonly<Record<string, string>> {
  const weights = version.constituents.map(
    ({ constituent_id, target_weight }) => [constituent_id, formatDecimal(target_weight, SCALE.weight)] as const,
  )
  return Object.fromEntries(weights)
}

/** Version that a content proposes, with its weights. */
export type ProposedVersion = {
  readonly definition: Definition
  readonly defined: DefinedVersion
  readonly supersedes_version_id: string | null
}

/**
 * Returns the version that a content proposes.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: its parts do not agree, or are no definition
 */
export function versionOfContent(content: Change['content']): ProposedVersion {
  const { index, methodology, definition: file, supersedes_version_id } = content
  if (!isObject(index) || !isObject(methodology) || !isObject(file))
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'content', 'incomplete', 'index, methodology and definition')
  const { content_hash, supersedes_version, ...named } = methodology
  const written = {
    index,
    methodology: supersedes_version === null ? named : { ...named, supersedes_version },
    versions: [file],
  }
  const [fault] = explainDefinition(written)
  if (fault !== undefined) throw new ServiceError('VALIDATION_DEFINITION_INVALID', fault.text)
  const definition = decodeDefinition(written as unknown as DefinitionFile)
  agree('methodology.content_hash', content_hash, definition.methodology.content_hash)
  const defined = withWeights(definition.versions[0]!, content.target_weights)
  const { version } = defined
  agree('index_id', content.index_id, version.index_id)
  agree('version', content.version, version.version)
  agree('effective_from', content.effective_from, formatMicros(version.effective_from))
  return { definition, defined, supersedes_version_id: textOrNull(supersedes_version_id) }
}

/** Returns the methodology that a content proposes. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function methodologyOfContent(
  content: Change['content'],
): Pick<Definition, 'methodology' | 'supersedes_version'> {
  const { methodology_id, version, name, parameters, content_hash, supersedes_version } = content
  if (typeof name !== 'string' || !isObject(parameters))
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'content', 'incomplete', 'name and parameters')
  const texts = resolveParameters(parameters as Readonly<Record<string, string>>)
  agree('content_hash', content_hash, methodologyHash(texts))
  const record = { methodology_id, version, name, content_hash: methodologyHash(texts), texts }
  return { methodology: record as unknown as Methodology, supersedes_version: textOrNull(supersedes_version) }
}

/** Sets the weights; fixed ones are those of the definition. */
function withWeights(defined: DefinedVersion, weights: unknown): DefinedVersion {
  const ids = defined.version.constituents.map(({ constituent_id }) => String(constituent_id))
  if (!isObject(weights)) throw notAllowed('VALIDATION_DEFINITION_INVALID', 'target_weights', 'missing', 'an object')
  agree('constituents of target_weights', Object.keys(weights).sort().join(), [...ids].sort().join())
  const constituents = defined.version.constituents.map((constituent) => ({
    ...constituent,
    target_weight: parseDecimal(weights[constituent.constituent_id], 'target_weight'),
  }))
  const found = { ...defined, version: { ...defined.version, constituents } }
  const sum = sumDecimals(constituents.map(({ target_weight }) => target_weight))
  if (!sum.eq(ONE) || constituents.some(({ target_weight }) => target_weight.isNegative()))
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'target_weights', sum.toFixed(), 'weights that sum to exactly 1')
  if (defined.weighting === 'fixed')
    agree('target_weights', canonicalJson(weightsOf(found)), canonicalJson(weightsOf(defined)))
  return found
}

function agree(field: string, seen: unknown, wanted: string): void {
  if (seen === wanted) return
  const shown = (JSON.stringify(seen) ?? 'missing').slice(0, 80)
  throw notAllowed('VALIDATION_DEFINITION_INVALID', field, shown, wanted)
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

import { isServiceError, type ServiceError } from '../../primitives/errors.ts'
import { type Definition, type DefinitionSource, decodeDefinition } from './definition.ts'
import { type DraftVersion, definitionFaults } from './definition-faults.ts'
import { type Mistake, mistakesError } from './definition-mistakes.ts'
import type { DefinitionFile } from './definition-schema.ts'
import { readDefinitionText } from './definition-text.ts'
import { versionPaths } from './version-order.ts'
import { refuseBoth } from './version-parts.ts'

/** A definition file as it was read: its definition, or its mistakes and what could be decoded in spite of them. */
export type InspectedDefinition =
  | { readonly definition: Definition }
  | { readonly definition: null; readonly index_id: string; readonly draft: FaultyDraft }

/** Mistakes of a faulty definition, which further checks add to, and its versions as far as they could be decoded. */
export type FaultyDraft = {
  readonly source: DefinitionSource
  readonly mistakes: readonly Mistake[]
  readonly versions: readonly (DraftVersion & { readonly source: DefinitionSource })[]
}

/**
 * Parses and checks an index definition (form: docs/index-definitions.md; rules: methodology index-1 §8 to 11, 18).
 * @param text YAML or JSON; name: the file's name, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_OVERLAP; all mistakes at once, each with its line
 */
export function parseDefinition(text: string, name: string): Definition {
  const inspected = inspectDefinition(text, name)
  if (inspected.definition === null) throw mistakesError(name, inspected.draft.mistakes)
  return inspected.definition
}

/**
 * Parses a definition and returns the mistakes of its rules, so that others can be listed with them.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: its form is wrong, and nothing else can be checked
 */
export function inspectDefinition(text: string, name: string): InspectedDefinition {
  const { file, source } = readDefinitionText(text, name)
  try {
    const paths = versionPaths(file.versions)
    file.versions.forEach((version, i) => {
      refuseBoth(version, paths[i]!)
    })
    const definition = decodeDefinition(file)
    return { definition: { ...definition, versions: definition.versions.map((one) => ({ ...one, source })) } }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { definition: null, index_id: file.index.index_id, draft: draftOf(file, source, error) }
  }
}

function draftOf(file: DefinitionFile, source: DefinitionSource, error: ServiceError): FaultyDraft {
  const { faults, versions } = definitionFaults(file)
  return {
    source,
    mistakes: (faults.length === 0 ? [error] : faults).map((fault) => ({ line: lineOf(fault, source), fault })),
    versions: versions.map((version) => ({ ...version, source })),
  }
}

/** Returns the line of the field that a fault names, or with whose path its sentence begins. */
function lineOf({ facts, message }: ServiceError, source: DefinitionSource): number | null {
  return source.lineOf(typeof facts.field === 'string' ? facts.field : message)
}

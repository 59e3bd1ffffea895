import { isServiceError, type ServiceError } from '../../primitives/errors.ts'
import { type Definition, type DefinitionSource, decodeDefinition } from './definition.ts'
import { definitionFaults } from './definition-faults.ts'
import { mistakesError } from './definition-mistakes.ts'
import type { DefinitionFile } from './definition-schema.ts'
import { readDefinitionText } from './definition-text.ts'
import { refuseBoth } from './version-parts.ts'

/**
 * Parses and checks an index definition (form: docs/index-definitions.md; rules: methodology index-1 §8 to 11, 18).
 * @param text YAML or JSON; name: the file's name, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, VALIDATION_VERSION_OVERLAP; all mistakes at once, each with its line
 */
export function parseDefinition(text: string, name: string): Definition {
  const { file, source } = readDefinitionText(text, name)
  const definition = decodeOrRefuse(file, source)
  return { ...definition, versions: definition.versions.map((version) => ({ ...version, source })) }
}

function decodeOrRefuse(file: DefinitionFile, source: DefinitionSource): Definition {
  try {
    file.versions.forEach(refuseBoth)
    return decodeDefinition(file)
  } catch (error) {
    if (!isServiceError(error)) throw error
    const faults = definitionFaults(file)
    const mistakes = (faults.length === 0 ? [error] : faults).map((fault) => ({ line: lineOf(fault, source), fault }))
    throw mistakesError(source.name, mistakes)
  }
}

/** Returns the line of the field that a fault names, or with whose path its sentence begins. */
function lineOf({ facts, message }: ServiceError, source: DefinitionSource): number | null {
  return source.lineOf(typeof facts.field === 'string' ? facts.field : message)
}

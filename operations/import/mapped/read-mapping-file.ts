import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { yamlFault } from '../../../pipelines/text/yaml-fault.ts'
import { type Mapping, readMapping } from '../../../pipelines/venues/mapping/mapping.ts'
import { ServiceError } from '../../../primitives/errors.ts'

/**
 * Reads a mapping from a YAML or JSON file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readMappingFile(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = `mapping is ${path} (${error.code}); allowed: a readable YAML or JSON file`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { field: 'mapping', value: path }, error)
  })
  const name = basename(path)
  try {
    return readMapping(parse(text, { maxAliasCount: 0 }), name)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const message = `${name} ${yamlFault(error as Error, text)}`
    throw new ServiceError('VALIDATION_DEFINITION_INVALID', message, { field: 'mapping' }, error)
  }
}

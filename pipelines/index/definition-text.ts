import { isMap, isPair, LineCounter, parseDocument, type Scalar, visit } from 'yaml'
import { ServiceError } from '../../primitives/errors.ts'
import { yamlFault } from '../text/yaml-fault.ts'
import type { DefinitionSource } from './definition.ts'
import { explainDefinition } from './definition-explain.ts'
import { lineFinder } from './definition-lines.ts'
import { mistakesError } from './definition-mistakes.ts'
import type { DefinitionFile } from './definition-schema.ts'

/**
 * Reads a definition file's text (YAML or JSON): scalars keep their source text, so no number passes through a double.
 * @param name the file's name, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the path, the value seen and what is allowed, of each mistake of form
 */
export function readDefinitionText(
  text: string,
  name: string,
): { readonly file: DefinitionFile; readonly source: DefinitionSource } {
  const lines = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: true, strict: true, lineCounter: lines })
  const syntax = document.errors[0]
  if (syntax !== undefined) throw refuse(name, yamlFault(syntax, text))
  visit(document, {
    Alias: () => {
      throw refuse(name, 'uses a YAML alias; allowed: plain values')
    },
    Scalar: (key, node, path) => {
      if (key !== 'key') node.value = scalarValue(node, keyOf(path.at(-1)))
    },
  })
  const value: unknown = document.toJS()
  if (!isMap(document.contents)) throw refuse(name, 'is not a mapping; allowed: the keys index, methodology, versions')
  const lineOf = lineFinder(document, lines)
  const faults = explainDefinition(value)
  if (faults.length > 0)
    throw mistakesError(
      name,
      faults.map(({ path, text: fault }) => mistakeOf(fault, lineOf(path))),
    )
  return { file: value as DefinitionFile, source: { name, lineOf } }
}

function mistakeOf(fault: string, line: number | null) {
  return { line, fault: new ServiceError('VALIDATION_DEFINITION_INVALID', fault) }
}

const INTEGER_KEYS = new Set(
  ['partitions', 'minimum', 'trim'].concat(['count', 'buffer', 'per_venue_max', 'per_event_max']),
)
const BOOLEAN_KEYS = new Set(['rating_multiplier'])

/** Decodes the few keys that are not text, by name; everything else keeps its source text. */
function scalarValue(node: Scalar, key: string): unknown {
  const text = node.value as string
  if (node.type !== 'PLAIN') return text
  if (text === 'null' || text === '~' || text === '') return null
  if (INTEGER_KEYS.has(key) && /^\d{1,6}$/.test(text)) return +text
  return BOOLEAN_KEYS.has(key) && (text === 'true' || text === 'false') ? text === 'true' : text
}

function keyOf(parent: unknown): string {
  return isPair(parent) ? String((parent.key as Scalar).value) : ''
}

function refuse(name: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_DEFINITION_INVALID', `${name}: ${detail}`, { file: name })
}

/** Error of the YAML library. Further lines of its message show an excerpt. */
type YamlError = { readonly message: string; readonly code?: string; readonly pos?: readonly [number, number] }

/** Key at the beginning of a text: quoted, or plain up to what ends it. */
const KEY = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^:,[\]{}\n]+)/

/** Returns the end of a sentence about a file that is not YAML, or in which a mapping has a key twice. */
export function yamlFault({ message, code, pos }: YamlError, text: string): string {
  const [fault] = message.split('\n')
  if (code !== 'DUPLICATE_KEY') return `is not YAML: ${fault!.replace(/:$/, '')}; allowed: YAML or JSON`
  const [key] = KEY.exec(text.slice(pos![0])) ?? ['']
  const place = / at line \d+, column \d+/.exec(fault!)?.[0] ?? ''
  return `has the key ${key.trim().slice(0, 80)} twice,${place}; allowed: each key once in a mapping`
}

import { ServiceError } from '../../primitives/errors.ts'

/** One mistake of a file; `line` null: it is at no line. */
export type Mistake = { readonly line: number | null; readonly fault: ServiceError }

/** Most mistakes that a message lists. */
const LISTED_MAX = 20

/**
 * Returns one error for the mistakes of a file: a single one as it is, with its line; several as a list by line.
 * @param name the file's name; null: they are of no file
 */
export function mistakesError(name: string | null, mistakes: readonly Mistake[]): ServiceError {
  const [first, ...others] = mistakes
  if (others.length === 0) {
    const { line, fault } = first!
    return new ServiceError(
      fault.code,
      `${placeText(name, line)}${fault.message}`,
      { ...fault.facts, ...lineFact(line) },
      fault,
    )
  }
  const sorted = [...mistakes].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  const listed = sorted.slice(0, LISTED_MAX).map(({ line, fault }) => `${placeText(name, line)}${fault.message}`)
  const rest = sorted.length - listed.length
  const text = [`${name ?? 'the definition'} has ${mistakes.length} mistakes:`, ...listed].join('\n  ')
  const codes = new Set(mistakes.map(({ fault }) => fault.code))
  return new ServiceError(
    codes.size === 1 ? first!.fault.code : 'VALIDATION_DEFINITION_INVALID',
    rest > 0 ? `${text}\n  and ${rest} more` : text,
    { mistakes: String(mistakes.length) },
  )
}

function placeText(name: string | null, line: number | null): string {
  if (name === null) return ''
  return line === null ? `${name}: ` : `${name}:${line}: `
}

function lineFact(line: number | null): Readonly<Record<string, string>> {
  return line === null ? {} : { line: String(line) }
}

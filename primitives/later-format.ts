import type { ErrorCode } from './error-codes.ts'
import { ServiceError } from './errors.ts'

/**
 * Refuses the JSON text of a file whose `format` is of a later release, which is not damaged: only that release can read it. Pure.
 * @throws {ServiceError} `code`
 */
export function refuseLaterFormat(text: string, file: string, known: number, code: ErrorCode): void {
  const format = formatOf(text)
  if (typeof format !== 'number' || format <= known) return
  const message = `${file} has format ${format}, which a later release wrote; allowed: ${known}, or use that release or a later one`
  throw new ServiceError(code, message, { file })
}

function formatOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly format?: unknown } | null)?.format
  } catch {
    return undefined
  }
}

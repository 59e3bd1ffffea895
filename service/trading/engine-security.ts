import { readFileSync, statSync } from 'node:fs'
import { ServiceError } from '../../primitives/errors.ts'
import type { LinkSecurity } from '../../trading/service/link-security.ts'
import type { Settings } from '../configuration.ts'
import { requirePrivate } from './private-file.ts'

type SecuritySettings = Pick<Settings, 'engine_tls_cert_file' | 'engine_tls_key_file' | 'engine_tls_ca_file'>

/**
 * Reads the TLS of the engine's link, at each of its ends; null: none is set. Certificates are read once, at the start of a process.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: some of the three settings are missing, or a file cannot be read
 */
export function engineSecurity(settings: SecuritySettings): LinkSecurity | null {
  const files = {
    TIDEMARK_ENGINE_TLS_CERT_FILE: settings.engine_tls_cert_file,
    TIDEMARK_ENGINE_TLS_KEY_FILE: settings.engine_tls_key_file,
    TIDEMARK_ENGINE_TLS_CA_FILE: settings.engine_tls_ca_file,
  }
  const missing = Object.entries(files).flatMap(([name, file]) => (file === '' ? [name] : []))
  if (missing.length === Object.keys(files).length) return null
  if (missing.length > 0)
    refuse(missing[0]!, '', `is none; needed beside the other two of ${Object.keys(files).join(', ')}`)
  const { TIDEMARK_ENGINE_TLS_KEY_FILE: key } = files
  return {
    cert: textOf('TIDEMARK_ENGINE_TLS_CERT_FILE', settings.engine_tls_cert_file),
    key: textOf('TIDEMARK_ENGINE_TLS_KEY_FILE', key, () =>
      requirePrivate('TIDEMARK_ENGINE_TLS_KEY_FILE', key, statSync(key)),
    ),
    ca: textOf('TIDEMARK_ENGINE_TLS_CA_FILE', settings.engine_tls_ca_file),
  }
}

function textOf(name: string, file: string, check: () => void = () => undefined): string {
  try {
    check()
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return refuse(name, file, `is ${file}, which cannot be read: ${(error as Error).message}`)
  }
}

function refuse(field: string, value: string, problem: string): never {
  throw new ServiceError('VALIDATION_USAGE_INVALID', `${field} ${problem}`, { field, value })
}
